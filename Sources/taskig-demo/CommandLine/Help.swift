/// The text of `--help`, of the program and of each command, made from what the commands say of themselves.
struct Help {
  private let page: Page

  init(on page: Page) {
    self.page = page
  }

  /// Explains the program: its commands, and what all of them have.
  func write(commands: [any Command.Type]) {
    paragraph(DemoTool.summary)
    page.write()
    page.write("Usage: \(DemoTool.name) [COMMAND] [OPTION]...")
    section("Commands", commands.map { ($0.name, $0.summary) })
    page.write()
    paragraph("'\(DemoTool.name) COMMAND --help' explains a command, with examples.")
    let common = [Tracing.option, Option.help, Option.version].map { ($0.usage, $0.meaning) }
    section("Options", common)
    section("Environment", DemoTool.environment.map { ($0.term, $0.meaning) })
  }

  /// Explains a command.
  func write(_ command: any Command.Type) {
    paragraph(command.summary)
    page.write()
    for line in Self.usageLines(of: command) { page.write(line) }
    for text in command.details {
      page.write()
      paragraph(text)
    }
    section("Options", command.allOptions.map { ($0.usage, $0.meaning) })
    page.write()
    page.write(page.style("Examples:", .bold))
    for example in command.examples {
      for line in example.meaning.wrapped(to: page.textWidth - 4) { page.write("  # \(line)") }
      page.write("  \(example.command)")
    }
    section("Exit status", command.statuses.map { ($0.status, $0.meaning) })
  }

  /// The ways to call the command, each on a line.
  static func usageLines(of command: any Command.Type) -> [String] {
    command.usages.enumerated().map { index, usage in
      "\(index == 0 ? "Usage:" : "      ") \(DemoTool.name) \(command.name) \(usage)"
    }
  }

  private func paragraph(_ text: String) {
    for line in text.wrapped(to: page.textWidth) { page.write(line) }
  }

  private func section(_ title: String, _ rows: [(String, String)]) {
    page.write()
    page.write(page.style("\(title):", .bold))
    // Long terms have a line for themselves, rather than push all meanings to the right.
    let width = rows.map(\.0.count).filter { $0 <= 20 }.max() ?? 0
    for (term, meaning) in rows {
      if term.count > width { page.write("  \(term)") }
      for (index, line) in meaning.wrapped(to: page.textWidth - width - 4).enumerated() {
        page.write("  " + (index == 0 && term.count <= width ? term : "").padded(to: width) + "  " + line)
      }
    }
  }
}
