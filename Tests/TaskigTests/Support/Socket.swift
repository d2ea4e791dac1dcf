import Foundation

/// One end of a connection over TCP, with blocking calls.
final class Socket {
  struct Gone: Error {}

  private let number: Int32
  private var unread = Data()

  init(_ number: Int32) { self.number = number }

  /// The next bytes, or `nil` if the other side has closed the connection.
  func read() -> Data? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(number, &bytes, bytes.count, 0)
    return count > 0 ? Data(bytes[..<count]) : nil
  }

  func send(_ bytes: Data) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Self.sendSilently(number, $0) }
      guard count > 0 else { throw Gone() }
      rest = rest.dropFirst(count)
    }
  }

  /// The next request with its body; `nil` if the client has gone, or says what cannot be understood.
  func readRequest() -> Exchange.Request? {
    let end = Data("\r\n\r\n".utf8)
    while true {
      if let range = unread.range(of: end) {
        let head = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        guard words.count == 3 else { return nil }
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        if unread.endIndex - range.upperBound >= length ?? 0 {
          let body = unread[range.upperBound...].prefix(length ?? 0)
          unread = Data(unread[body.endIndex...])
          return Exchange.Request(method: words[0], path: words[1], head: head, body: Data(body))
        }
      }
      guard let more = read() else { return nil }
      unread += more
    }
  }
}

extension Socket {
  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif

  /// Sends some of `bytes`, and returns how many; without the signal that ends the process when the other side has gone.
  private static func sendSilently(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if os(Linux)
      Foundation.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      Foundation.send(socket, bytes.baseAddress, bytes.count, 0)
    #endif
  }

  /// A socket that listens at a free port of 127.0.0.1, and that port.
  static func listen() -> (socket: Int32, port: UInt16) {
    let (listener, port) = bind()
    precondition(Foundation.listen(listener, 128) == 0, "Nobody can listen at the port.")
    return (listener, port)
  }

  /// A socket that has a free port of 127.0.0.1 for itself, at which nobody listens yet, and that port.
  static func bind() -> (socket: Int32, port: UInt16) {
    let owner = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        Foundation.bind(owner, address, size) == 0 && getsockname(owner, address, &size) == 0
      }
    }
    precondition(isBound, "There is no port to listen at.")
    return (owner, UInt16(bigEndian: address.sin_port))
  }

  /// The next connection; `nil` once the listening socket has been shut down.
  static func accept(_ listener: Int32) -> Int32? {
    let socket = Foundation.accept(listener, nil, nil)
    guard socket >= 0 else { return nil }
    #if !os(Linux)
      var yes: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return socket
  }

  static func shutDown(_ socket: Int32) { shutdown(socket, Int32(SHUT_RDWR)) }
  static func close(_ socket: Int32) { _ = Foundation.close(socket) }
}
