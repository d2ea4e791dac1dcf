/// One of the things that the program does when its name is the first word.
protocol Command: Sendable {
  /// The word that chooses it.
  static var name: String { get }

  /// What it does, in half a line.
  static var summary: String { get }

  /// Its options and what they mean, for the help.
  static var options: [(option: String, meaning: String)] { get }

  /// Takes from the command line what it understands.
  init(_ arguments: inout Arguments) throws

  /// Does it.
  func run(on page: Page) throws -> ExitStatus
}
