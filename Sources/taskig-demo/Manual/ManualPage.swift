/// The page of the manual, made from what the commands say of themselves.
struct ManualPage {
  private let commands: [any Command.Type]

  init(_ commands: [any Command.Type]) {
    self.commands = commands
  }

  var text: String {
    var roff = Roff()
    // No date: it would be the one of the last build, and say nothing.
    roff.macro("TH", DemoTool.name.uppercased(), "1", "", "\(DemoTool.name) \(DemoTool.version)", "User Commands")
    roff.macro("SH", "NAME")
    // The form that `whatis` reads: the name, a dash, and no sentence.
    let summary = DemoTool.summary.hasSuffix(".") ? String(DemoTool.summary.dropLast()) : DemoTool.summary
    roff.line(Roff.escaped(DemoTool.name), " \\- ", Roff.escaped(summary.prefix(1).lowercased() + summary.dropFirst()))
    synopsis(&roff)
    roff.macro("SH", "DESCRIPTION")
    roff.paragraph("\(DemoTool.summary) Where no command is named, '\(commands.first?.name ?? "")' is meant.")
    roff.macro("SH", "OPTIONS")
    options(Option.common + [.version], &roff)
    roff.macro("SH", "COMMANDS")
    for command in commands { explain(command, &roff) }
    roff.macro("SH", "EXIT STATUS")
    ExitTable(commands).write(&roff)
    roff.macro("SH", "ENVIRONMENT")
    for (term, meaning) in DemoTool.environment { item(Roff.bold(term), meaning, &roff) }
    roff.macro("SH", "EXAMPLES")
    for (index, example) in commands.flatMap({ $0.examples }).enumerated() {
      if index > 0 { roff.macro("PP") }
      roff.paragraph(example.meaning)
      roff.example(example.command)
    }
    roff.macro("SH", "SEE ALSO")
    roff.line("\\fBcurl\\fP(1), \\fBman\\fP(1), \\fBxargs\\fP(1)")
    return roff.text
  }

  private func synopsis(_ roff: inout Roff) {
    roff.macro("SH", "SYNOPSIS")
    roff.line(Roff.bold(DemoTool.name), Roff.escaped(" [COMMAND] [OPTION]..."))
    for command in commands {
      for usage in command.usages {
        roff.macro("br")
        roff.line(Roff.bold("\(DemoTool.name) \(command.name)"), Roff.escaped(usage.isEmpty ? "" : " \(usage)"))
      }
    }
  }

  private func explain(_ command: any Command.Type, _ roff: inout Roff) {
    roff.macro("SS", command.name)
    roff.paragraph(command.summary)
    for text in command.details {
      roff.macro("PP")
      roff.paragraph(text)
    }
    options(command.options, &roff)
  }

  private func options(_ options: [Option], _ roff: inout Roff) {
    for option in options {
      let names = option.names.map(Roff.bold).joined(separator: ", ")
      item(names + (option.value.map { " " + Roff.italic($0.name) } ?? ""), option.meaning, &roff)
    }
  }

  private func item(_ term: String, _ meaning: String, _ roff: inout Roff) {
    roff.macro("TP")
    roff.line(term)
    roff.paragraph(meaning)
  }
}
