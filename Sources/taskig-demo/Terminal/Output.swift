import Foundation

/// A stream that takes bytes, and says so when it cannot.
struct Output: Sendable {
  private let stream: FileHandle

  init(_ stream: FileHandle) {
    self.stream = stream
  }

  static let standard = Output(.standardOutput)
  static let standardError = Output(.standardError)

  /// Whether it is seen on a terminal.
  var isTerminal: Bool { isatty(stream.fileDescriptor) == 1 }

  /// Whether it takes something now, without waiting.
  var takesMore: Bool {
    var polls = [pollfd(fd: stream.fileDescriptor, events: Int16(POLLOUT), revents: 0)]
    return poll(&polls, 1, 0) > 0
  }

  /// Writes all of the bytes, and blocks while the stream takes no more.
  func write(_ bytes: Data) throws {
    do {
      try stream.write(contentsOf: bytes)
    } catch {
      throw OutputError(error)
    }
  }

  /// Writes the text.
  func write(_ text: String) throws { try write(Data(text.utf8)) }
}

/// Why output could not be written.
struct OutputError: Error {
  /// Whether nobody reads it any more, which is no failure of ours.
  let isClosedPipe: Bool
  private let reason: String

  init(_ error: any Error) {
    isClosedPipe = error.systemCode == EPIPE
    reason = error.systemReason
  }

  /// Ends the program: quietly if nobody reads, and otherwise with the reason and a status, as lost output must not look like success.
  func endProgram(with status: ExitStatus) -> Never {
    if isClosedPipe {
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    try? Output.standardError.write("\(DemoTool.name): The output cannot be written: \(reason).\n")
    exit(status.code)
  }
}
