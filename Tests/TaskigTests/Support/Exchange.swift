import Foundation

/// A request to a `LoopbackServer`, and the means to answer it.
final class Exchange {
  let request: Request
  /// Whether the connection ends when the script does.
  private(set) var isOver = false
  private let socket: Socket

  struct Request {
    let method: String
    let path: String
    let head: String
    let body: Data
  }

  init(_ request: Request, over socket: Socket) {
    self.request = request
    self.socket = socket
  }

  /// Answers, well-formed and with its length.
  func respond(_ status: Int, _ body: Data, _ headers: [String] = []) throws {
    let head = head(status, headers + ["Content-Length: \(body.count)"])
    // In one piece: the system holds a second one back until the first has been acknowledged.
    try send(Data(head.utf8) + (request.method == "HEAD" ? Data() : body))
  }

  func respond(_ status: Int, _ body: String, _ headers: [String] = []) throws {
    try respond(status, Data(body.utf8), headers)
  }

  /// The first lines of an answer, down to the empty one.
  func head(_ status: Int, _ headers: [String] = []) -> String {
    (["HTTP/1.1 \(status) As it is"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
  }

  func send(_ text: String) throws { try send(Data(text.utf8)) }
  func send(_ bytes: Data) throws { try socket.send(bytes) }

  /// Sends a piece of a chunked body; an empty one is the last.
  func sendChunk(_ text: String) throws { try send(String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n") }

  /// Ends the connection when the script returns.
  func hangUp() { isOver = true }

  /// Blocks until the client has gone.
  func waitForClient() {
    while socket.read() != nil {}
    isOver = true
  }
}
