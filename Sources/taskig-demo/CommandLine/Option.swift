/// A word with dashes that changes what a command does.
struct Option: Sendable {
  /// What stands after the option.
  struct Value: Sendable {
    /// What it may be, so that a shell can complete it.
    enum Kind: Sendable {
      case file
      case folder
      case number
      case word([String])
      case text
    }

    /// What it is called in the help, in capitals.
    let name: String
    let kind: Kind
    /// One that could stand there, for messages.
    let example: String
  }

  /// The letter after a single dash.
  let letter: Character?
  /// The word after two dashes.
  let word: String
  let value: Value?
  /// What it does, in a sentence or two.
  let meaning: String

  init(letter: Character? = nil, _ word: String, value: Value? = nil, _ meaning: String) {
    (self.letter, self.word, self.value, self.meaning) = (letter, word, value, meaning)
  }

  /// The option as it stands in help, with its value.
  var usage: String { names.joined(separator: ", ") + (value.map { " \($0.name)" } ?? "") }

  /// The option as it can be written, the short form first.
  var names: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(word)"] }
}

extension Option {
  /// Those that every command has.
  static let common = [Tracing.option, help]

  static let help = Option(letter: "h", "help", "Show this help.")
  static let version = Option("version", "Show the version.")
}

extension Option.Value {
  static func number(_ name: String, as example: String) -> Self { Self(name: name, kind: .number, example: example) }
  static func file(_ name: String, as example: String) -> Self { Self(name: name, kind: .file, example: example) }
  static func folder(_ name: String, as example: String) -> Self { Self(name: name, kind: .folder, example: example) }
}
