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
