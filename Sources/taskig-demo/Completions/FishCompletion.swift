/// The script with which fish completes the words of the tool.
struct FishCompletion {
  let commands: [CommandWords]
  /// The words of a line that names no command.
  let start: CommandWords

  var text: String {
    let parts = [options(of: start, where: #"__taskig_demo_names """#)] + commands.map(lines)
    return #"""
      # Completes the words of taskig-demo in fish. Made by: taskig-demo completions fish

      # Whether the line names this command; "" stands for none.
      function __taskig_demo_names
          set -l words (commandline -opc)
          string match -q -- '-*' "$words[2]"; and set words[2] ""
          test "$words[2]" = $argv[1]
      end

      # Whether only options have followed the command's name so far, of these that it has; the last may lack its value.
      function __taskig_demo_has_no_operand
          set -l words (commandline -opc)[3..]
          argparse -s $argv -- $words 2>/dev/null
          or return 0
          test (count $argv) = 0
      end

      complete -c taskig-demo -f

      # Where no command is named yet.
      \#(commands.map { describe($0) }.joined(separator: "\n"))
      \#(parts.joined(separator: "\n\n"))

      """#
  }

  private func describe(_ command: CommandWords) -> String {
    line("test (count (commandline -opc)) = 1", "-a \(command.name)", command.summary)
  }

  private func lines(of command: CommandWords) -> String {
    let isNamed = "__taskig_demo_names \(command.name)"
    let begins = "__taskig_demo_begins_\(command.name)"
    let function = """
      # \(command.name): whether only options have followed it so far.
      function \(begins)
          \(isNamed); and __taskig_demo_has_no_operand \(specifications(of: command))
      end

      """
    let (condition, operands) =
      switch command.operands {
      case .none, .urls: (isNamed, "")
      case .word(let words): (isNamed, "\n" + line(begins, "-a \(words.joined(separator: " ").inFishQuotes)"))
      case .files: (isNamed, "\n" + line(isNamed, "-F"))
      case .command: (begins, "\n" + line(isNamed, "-a \(subcommand(of: command).inFishQuotes)"))
      }
    return (operands.contains(begins) || condition == begins ? function : "# \(command.name)\n")
      + options(of: command, where: condition) + operands
  }

  private func options(of command: CommandWords, where condition: String) -> String {
    command.options.map { option in
      let letter = option.letter.map { "-s \($0) " } ?? ""
      return line(condition, letter + "-l \(option.word)" + (option.value.map { value($0.kind) } ?? ""), option.gist)
    }.joined(separator: "\n")
  }

  private func value(_ kind: Option.Value.Kind) -> String {
    switch kind {
    case .file: " -r -F"
    case .folder: " -x -a '(__fish_complete_directories)'"
    case .word(let words): " -x -a \(words.joined(separator: " ").inFishQuotes)"
    case .number, .text: " -x"
    }
  }

  /// A command's options as `argparse` wants them.
  private func specifications(of command: CommandWords) -> String {
    command.options.map { option in
      (option.letter.map { "\($0)/" } ?? "") + option.word + (option.value == nil ? "" : "=")
    }.joined(separator: " ")
  }

  /// Completes the command that comes after the options; the tool's own two words and the values of options are no part of it.
  private func subcommand(of command: CommandWords) -> String {
    let valued = command.valued.flatMap(\.option.names).joined(separator: " ")
    return "(__fish_complete_subcommand --fcs-skip=2 \(valued))"
  }

  private func line(_ condition: String, _ rest: String, _ description: String? = nil) -> String {
    "complete -c taskig-demo -n \(condition.inFishQuotes) \(rest)"
      + (description.map { " -d \($0.inFishQuotes)" } ?? "")
  }
}
