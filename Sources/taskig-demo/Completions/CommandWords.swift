/// What a shell has to know of a command to complete its words.
struct CommandWords {
  /// The command's name; empty for the words of a line that names none.
  let name: String
  let summary: String
  let options: [Option]
  let operands: Operands

  init(_ command: any Command.Type) {
    (name, summary, options) = (command.name, command.summary, command.allOptions)
    operands = command.operands
  }

  /// The words of a line that names no command: the names of all, or options of the first, which is the default.
  init(choosingFrom commands: [any Command.Type]) {
    (name, summary) = ("", "")
    options = (commands.first?.allOptions ?? [.help]) + [.version]
    operands = .word(commands.map { $0.name })
  }

  /// The options that want a value, each in all its spellings.
  var valued: [(option: Option, value: Option.Value)] {
    options.compactMap { option in option.value.map { (option, $0) } }
  }
}

extension Option {
  /// What it does, short enough for a list: as far as its first stop, and without that.
  var gist: String {
    let text = meaning.firstMatch(of: /[.;:]\s/).map { meaning[..<$0.range.lowerBound] } ?? meaning[...]
    return String(text.hasSuffix(".") ? text.dropLast() : text)
  }
}
