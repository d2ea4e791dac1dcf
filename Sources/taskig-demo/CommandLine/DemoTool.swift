import Taskig

/// The command line as a whole: it chooses the command, and tells errors to standard error.
enum DemoTool {
  static let name = "taskig-demo"
  static let version = "0.1.0"
  static let summary = "Shows what the Taskig library does, and puts it to use."

  /// The commands, the default one first; a new command is a file of its own and a word here.
  static let commands: [any Command.Type] = [
    TourCommand.self, EachCommand.self, FetchCommand.self, BenchCommand.self, CompletionsCommand.self, ManCommand.self,
  ]

  /// The variables of the environment that every command heeds, each with what it does.
  static let environment = [
    (term: "NO_COLOR", meaning: "Set to anything, it switches colours off."),
    (term: "COLUMNS", meaning: "How wide to print; otherwise as wide as the terminal, or 80."),
  ]

  /// Does what the words of the command line ask for.
  static func run(_ words: some Collection<String>) -> ExitStatus {
    let page = Page(.standardOutput)
    guard let word = words.first, !word.hasPrefix("-") else { return runDefault(words, on: page) }
    guard let command = commands.first(where: { $0.name == word }) else {
      let names = commands.map { $0.name }
      let option = [Option.help, .version].first { $0.word == word }.map { "--\($0.word)" }
      let meant = (option ?? word.nearest(of: names)).map { " Did you mean '\($0)'?" } ?? ""
      let all = names.joined(separator: ", ")
      explain(CommandError.usage("There is no command '\(word)'.\(meant) The commands are: \(all)."))
      return .usage
    }
    return run(command, words.dropFirst(), on: page)
  }

  /// Does what words ask for of which none names a command.
  private static func runDefault(_ words: some Collection<String>, on page: Page) -> ExitStatus {
    switch words.first {
    case "--help", "-h":
      Help(on: page).write(commands: commands)
      return .success
    case "--version":
      page.write("\(name) \(version)")
      return .success
    default:
      let isItsOwn = words.first.map { word in
        commands[0].allOptions.contains { $0.names.contains { word.hasPrefix($0) } }
      }
      return run(commands[0], words, on: page, isMeant: isItsOwn ?? true)
    }
  }

  /// Does what words ask a command for; if it may not be meant, a mistake in them is none of its usage.
  private static func run(
    _ command: any Command.Type, _ words: some Sequence<String>, on page: Page, isMeant: Bool = true
  ) -> ExitStatus {
    do {
      try ProgramWords.requireUTF8()
      let arguments = try Arguments(
        words, options: command.allOptions + (isMeant ? [] : [.version]), endsAtOperand: command.operands == .command)
      if arguments.has(.help) {
        Help(on: page).write(command)
        return .success
      }
      let wanted = try command.init(arguments)
      return try Tracing.tracing(to: arguments.value(of: Tracing.option)) { try wanted.run(on: page) }
    } catch let error as OutputError {
      error.endProgram(with: command.errorStatus ?? .ioError)
    } catch let signal as CancelledBySignal {
      return ExitStatus(signal.exitStatus)
    } catch {
      explain(error, of: isMeant ? command : nil)
      return command.errorStatus ?? (error as? CommandError)?.status ?? .failure
    }
  }

  /// Says on standard error what is wrong, and how `command` is called if it was called wrongly.
  static func explain(_ error: any Error, of command: (any Command.Type)? = nil) {
    let wrong = error as? CommandError
    var lines = ["\(name): \(wrong?.message ?? "\(error)")"]
    if wrong?.status == .usage {
      if let command { lines += Help.usageLines(of: command) }
      lines.append(
        "'\(name) \(command.map { "\($0.name) " } ?? "")--help' explains \(command == nil ? "all that there is" : "it")."
      )
    }
    // Where even that cannot be written, the status still says it.
    try? Output.standardError.write(lines.map { "\($0)\n" }.joined())
  }
}
