/// One of the things that the program does when its name is the first word.
///
/// All that is said about a command, in its help, in the manual and to shells that complete its words, comes from here.
protocol Command: Sendable {
  /// The word that chooses it.
  static var name: String { get }

  /// What it does, in half a line.
  static var summary: String { get }

  /// What stands after its name, for each way to call it.
  static var usages: [String] { get }

  /// What it does, in paragraphs.
  static var details: [String] { get }

  /// The options that it alone has.
  static var options: [Option] { get }

  /// Commands to try, each with what it does.
  static var examples: [(command: String, meaning: String)] { get }

  /// What it exits with, each with when it does.
  static var statuses: [(status: String, meaning: String)] { get }

  /// What its operands are.
  static var operands: Operands { get }

  /// What it exits with if it cannot do what it was asked; `nil` if that depends on the error.
  static var errorStatus: ExitStatus? { get }

  /// Makes sense of what it was given.
  init(_ arguments: Arguments) throws

  /// Does it.
  func run(on page: Page) throws -> ExitStatus
}

/// What the words of a command are that are no options.
enum Operands: Sendable, Equatable {
  case none
  /// One of these words.
  case word([String])
  case files
  case urls
  /// A command with words of its own, after which no option is the tool's.
  case command
}

extension Command {
  static var operands: Operands { .none }
  static var errorStatus: ExitStatus? { nil }

  /// The options that it has, those of every command included.
  static var allOptions: [Option] { options + Option.common }
}
