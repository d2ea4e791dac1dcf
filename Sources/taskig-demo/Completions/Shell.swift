/// A shell that can be taught to complete the tool's words.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script that teaches it these commands.
  func script(for commands: [any Command.Type]) -> String {
    switch self {
    case .bash: BashCompletion(commands).text
    case .zsh: ZshCompletion(commands).text
    case .fish: FishCompletion(commands).text
    }
  }
}
