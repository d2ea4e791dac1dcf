/// A shell that can be taught to complete the tool's words.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script that teaches it these commands.
  func script(for commands: [any Command.Type]) -> String {
    let start = CommandWords(choosingFrom: commands)
    let commands = commands.map { CommandWords($0) }
    return switch self {
    case .bash: BashCompletion(lines: [start] + commands).text
    case .zsh: ZshCompletion(commands: commands, start: start).text
    case .fish: FishCompletion(commands: commands, start: start).text
    }
  }
}
