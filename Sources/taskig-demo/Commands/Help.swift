/// The text of `--help`, made from the table of commands.
struct Help {
  let commands: [any Command.Type]

  /// One line for each command, the default one's name in brackets.
  static func usageLines(of commands: [any Command.Type]) -> [String] {
    commands.enumerated().map { index, command in
      let name = index == 0 ? "[\(command.name)]" : command.name
      let options = command.options.map { " [\($0.option)]" }.joined()
      return "\(index == 0 ? "Usage:" : "      ") \(DemoTool.name) \(name)\(options)"
    } + ["       \(DemoTool.name) --help | -h | --version"]
  }

  func write(to page: Page) {
    page.write("Shows what the Taskig library does, with real work and no network.")
    page.write()
    for line in Self.usageLines(of: commands) { page.write(line) }
    section("Commands", commands.map { ($0.name, $0.summary) }, on: page)
    let common = [("--help, -h", "Show this help."), ("--version", "Show the version.")]
    section("Options", commands.flatMap { $0.options.map { ($0.option, $0.meaning) } } + common, on: page)
    let environment = [
      ("NO_COLOR", "Set to anything, it switches colours off."),
      ("COLUMNS", "How wide to print; otherwise as wide as the terminal, or 80."),
    ]
    section("Environment", environment, on: page)
    page.write()
    let statuses =
      "Exit status: 0 if all went well, 1 if one of the tour's checks failed, 64 for a wrong command line, "
      + "66 for a folder that cannot be read, 74 if the output cannot be written."
    for line in statuses.wrapped(to: page.textWidth) { page.write(line) }
  }

  private func section(_ title: String, _ rows: [(String, String)], on page: Page) {
    page.write()
    page.write(page.style("\(title):", .bold))
    for (term, meaning) in rows {
      for (index, line) in meaning.wrapped(to: page.textWidth - 16).enumerated() {
        page.write("  " + (index == 0 ? term : "").padded(to: 12) + "  " + line)
      }
    }
  }
}
