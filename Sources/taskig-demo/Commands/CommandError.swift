/// Why a command cannot do what it was asked: a message that names the remedy, and the status to exit with.
struct CommandError: Error {
  let message: String
  let status: ExitStatus

  init(_ message: String, status: ExitStatus) {
    self.message = message
    self.status = status
  }

  /// The command line itself is wrong; the usage is shown too.
  static func usage(_ message: String) -> CommandError {
    CommandError(message, status: .usage)
  }
}

/// What the program exits with, after the BSD convention in sysexits.h.
enum ExitStatus: Int32 {
  case success = 0
  case failure = 1
  case usage = 64
  case noInput = 66
  case ioError = 74
}
