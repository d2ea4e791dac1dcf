/// Prints a script with which a shell completes the tool's words.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "Print a script with which a shell completes these commands."
  static let usages = ["SHELL"]
  static let details = [
    """
    SHELL is bash, zsh or fish. The script knows all commands, what their options mean, and which words, files or folders can \
    follow. The examples load it for good; in zsh, the folder must stand in $fpath before compinit is called.
    """
  ]
  static let options: [Option] = []
  static let examples = [
    (
      command: #"echo 'eval "$(taskig-demo completions bash)"' >>~/.bashrc"#,
      meaning: "bash: load it whenever a shell starts."
    ),
    (
      command: "taskig-demo completions zsh >~/.zfunc/_taskig-demo",
      meaning: "zsh: with 'fpath=(~/.zfunc $fpath)' above compinit in ~/.zshrc."
    ),
    (
      command: "taskig-demo completions fish >~/.config/fish/completions/taskig-demo.fish",
      meaning: "fish: it looks there by itself."
    ),
  ]
  static let statuses = [
    (status: "0", meaning: "The script has been printed."),
    (status: "64", meaning: "The command line is wrong."),
    (status: "74", meaning: "The output cannot be written."),
  ]
  static let operands = Operands.word(Shell.allCases.map(\.rawValue))

  private let shell: Shell

  init(_ arguments: Arguments) throws {
    let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
    guard let word = arguments.operands.first else {
      throw CommandError.usage("Which shell is it for? Name one of: \(names).")
    }
    guard let shell = Shell(rawValue: word) else {
      throw CommandError.usage("There is no script for the shell '\(word)'. Name one of: \(names).")
    }
    try arguments.requireNoOperands(after: 1)
    self.shell = shell
  }

  func run(on page: Page) throws -> ExitStatus {
    try Output.standard.write(shell.script(for: DemoTool.commands))
    return .success
  }
}
