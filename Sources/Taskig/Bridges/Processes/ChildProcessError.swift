#if os(macOS) || os(Linux)
  import Foundation

  /// Why there is no result of a ``ChildProcess``.
  public enum ChildProcessError: Error {
    /// There is no program of that name in the folders of `PATH`, or no file at that path; `lookedIn` says where it was looked for.
    case notFound(program: String, lookedIn: [String])

    /// The child could not be started, for this reason.
    case notStarted(command: String, reason: String)

    /// The child ended in a way that is not accepted; `output` has all that was captured, and how it ended.
    case failed(command: String, output: ChildProcessOutput)
  }

  extension ChildProcessError: LocalizedError, CustomStringConvertible {
    /// The same as `description`.
    public var errorDescription: String? { description }

    /// What is wrong and what to do, in whole sentences, with the end of what the child wrote to its error output.
    public var description: String {
      switch self {
      case .notFound(let program, let places):
        "There is no program “\(program)” that may be run. It was looked for in \(places.joined(separator: ", ")). "
          + "Install it, add its folder to PATH, or give its whole path."
      case .notStarted(let command, let reason):
        "“\(Self.short(command))” could not be started: \(reason)"
      case .failed(let command, let output):
        "“\(Self.short(command))” \(output.ending)."
          + (output.errorTail.isEmpty ? "" : " The end of its error output:\n\(output.errorTail)")
      }
    }

    /// A command can be longer than a screen.
    private static func short(_ command: String) -> String {
      command.count > 500 ? command.prefix(500) + "…" : command
    }
  }
#endif
