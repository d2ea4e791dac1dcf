import Taskig

/// A command with places for an argument.
struct CommandTemplate: Sendable {
  static let place = "{}"

  private let program: String
  private let words: [String]

  /// Whether the program is another one for each argument.
  var variesProgram: Bool { program.contains(Self.place) }

  /// - Parameter command: The program and its words; without a place among them the argument comes last.
  init?(_ command: [String]) {
    guard let program = command.first else { return nil }
    let hasPlace = command.contains { $0.contains(Self.place) }
    self.program = program
    words = command.dropFirst() + (hasPlace ? [] : [Self.place])
  }

  /// The command for this argument.
  func command(for argument: String) -> ChildProcess {
    // Not one word is looked at by a shell. What holds the streams of a job open may still write, and nothing of that is to be lost.
    ChildProcess(fill(program, argument), arguments: words.map { fill($0, argument) })
      .acceptingAnyEnding().lingering(for: .seconds(1e10))
  }

  private func fill(_ word: String, _ argument: String) -> String {
    word == Self.place ? argument : word.replacing(Self.place, with: argument)
  }
}
