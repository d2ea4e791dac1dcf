import Foundation

/// Reads any number of pipes to their ends, whenever they have data, with one thread for all of them.
///
/// `FileHandle.readabilityHandler` and `DispatchIO` would need no thread, but on Linux both can crash when
/// pipes come and go quickly (https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949).
final class PipePump: Sendable {
  static let shared = PipePump()

  /// A pipe that is being read.
  private struct Stream: Sendable {
    let handle: FileHandle
    var data = Data()
    let completion: @Sendable (Data) -> Void
  }

  private let arrivals = Guarded<[Stream]>([])
  /// Has a byte in it when there are arrivals, so that the thread's wait ends.
  private let bell = Pipe()

  private init() {
    let thread = Thread { [self] in run() }
    thread.name = "taskig-demo.pump"
    thread.start()
  }

  /// Reads the pipe from now on; at its end, the closure gets all that came, on the pump's thread.
  func drain(_ pipe: Pipe, completion: @escaping @Sendable (Data) -> Void) {
    let stream = Stream(handle: pipe.fileHandleForReading, completion: completion)
    arrivals.withLock { $0.append(stream) }
    try? bell.fileHandleForWriting.write(contentsOf: Data([0]))
  }

  private func run() {
    var streams: [Stream] = []
    while true {
      let handles = [bell.fileHandleForReading] + streams.map(\.handle)
      var polls = handles.map { pollfd(fd: $0.fileDescriptor, events: Int16(POLLIN), revents: 0) }
      guard poll(&polls, nfds_t(polls.count), -1) > 0 else { continue }
      // From the back, so that those that end can be taken out.
      for index in streams.indices.reversed() where polls[index + 1].revents != 0 {
        if let chunk = Self.chunk(of: streams[index].handle) {
          streams[index].data.append(chunk)
        } else {
          let stream = streams.remove(at: index)
          stream.completion(stream.data)
        }
      }
      if polls[0].revents != 0, Self.chunk(of: bell.fileHandleForReading) != nil {
        streams += arrivals.withLock { arrivals in
          defer { arrivals = [] }
          return arrivals
        }
      }
    }
  }

  /// What can be read without waiting, now that there is something; `nil` at the end.
  private static func chunk(of handle: FileHandle) -> Data? {
    let chunk = handle.availableData
    return chunk.isEmpty ? nil : chunk
  }
}
