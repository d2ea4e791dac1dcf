#if os(macOS) || os(Linux)
  import Foundation

  /// All that there is to know to run a child.
  struct ChildPlan: Sendable {
    enum Variables {
      case added([String: String?])
      case only([String: String])

      /// Those that the user has named, with their values.
      var given: [String: String] {
        switch self {
        case .added(let variables): variables.mapValues { $0 ?? "" }
        case .only(let variables): variables
        }
      }
    }

    let program: String
    let arguments: [String]
    var variables = Variables.added([:])
    var folder: String?
    var input = ChildProcessInput.nothing
    var output = ChildProcessDestination.captured
    /// `nil` if it goes where the output does.
    var errorOutput: ChildProcessDestination? = .captured
    /// `nil` if any ending will do.
    var acceptedStatuses: Set<Int32>? = [0]
    var grace = Duration.seconds(2)
    var linger = Duration.seconds(1)

    func accepts(_ ending: ChildProcessEnding) -> Bool {
      guard let acceptedStatuses else { return true }
      return acceptedStatuses.contains { ending == .exit($0) }
    }

    /// The command, quoted as a shell would need it.
    var commandLine: String {
      // A shell would take one with “=” in it for a variable to be set.
      let first = Self.quoted(program, always: program.contains("="))
      return ([first] + arguments.map { Self.quoted($0) }).joined(separator: " ")
    }

    private static func quoted(_ word: String, always: Bool = false) -> String {
      let plain = CharacterSet(charactersIn: "-+=_./:,@%").union(.alphanumerics)
      if !always, !word.isEmpty, word.unicodeScalars.allSatisfy(plain.contains) { return word }
      // One scalar after the other: a shell knows nothing of characters that are made of several.
      return "'" + word.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
    }
  }
#endif
