/// Prints the page of the manual.
struct ManCommand: Command {
  static let name = "man"
  static let summary = "Print the manual page, for man to read."
  static let usages = [""]
  static let details = [
    """
    The page is written in roff, as the pages of the manual are, and holds the help of all commands. It goes to standard output, \
    from where man shows it, or to where man finds it.
    """
  ]
  static let options: [Option] = []
  static let examples = [
    (command: "taskig-demo man | man -l -", meaning: "Read it; on a Mac, 'mandoc -a' does that."),
    (
      command: "taskig-demo man >~/.local/share/man/man1/taskig-demo.1",
      meaning: "Install it, so that 'man taskig-demo' shows it."
    ),
  ]
  static let statuses = [
    (status: "0", meaning: "The page has been printed."),
    (status: "64", meaning: "The command line is wrong."),
    (status: "74", meaning: "The output cannot be written."),
  ]

  init(_ arguments: Arguments) throws {
    try arguments.requireNoOperands()
  }

  func run(on page: Page) throws -> ExitStatus {
    try Output.standard.write(ManualPage(DemoTool.commands).text)
    return .success
  }
}
