import Foundation
import Taskig

/// What ends a wait for a stream when it rings: a plain read or write would go on waiting, whatever happens to the work.
final class Bell: Sendable {
  private let listening: FileHandle
  private let rope: FileHandle

  init() {
    let pipe = Pipe()
    (listening, rope) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
  }

  /// Ends all waits, and those to come; from any thread, any number of times.
  func ring() { try? rope.write(contentsOf: Data([1])) }

  /// Blocks until the stream can be read or written, or is broken, which reading or writing then tells.
  ///
  /// - Throws: `CancellableTaskError.taskWasCancelled` once the bell has rung.
  func wait(for stream: Int32, toBe condition: Int32) throws {
    var polls = [
      pollfd(fd: listening.fileDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stream, events: Int16(condition), revents: 0),
    ]
    while poll(&polls, nfds_t(polls.count), -1) < 0 && errno == EINTR {}
    if polls[0].revents != 0 { throw CancellableTaskError.taskWasCancelled }
  }
}
