/// The command line as a whole: it chooses the command, and tells errors to standard error.
enum DemoTool {
  static let name = "taskig-demo"
  static let version = "0.1.0"

  /// The commands, the default one first; a new command is a file of its own and a word here.
  static let commands: [any Command.Type] = [TourCommand.self]

  /// Does what the words of the command line ask for.
  static func run(_ words: some Sequence<String>) -> ExitStatus {
    let page = Page(.standardOutput)
    var arguments = Arguments(words)
    if arguments.takeFlag("--help", "-h") {
      Help(commands: commands).write(to: page)
      return .success
    }
    if arguments.takeFlag("--version") {
      page.write("\(name) \(version)")
      return .success
    }
    do {
      let command = try chooseCommand(&arguments).init(&arguments)
      try arguments.requireNone()
      return try command.run(on: page)
    } catch let error as CommandError {
      explain(error)
      return error.status
    } catch {
      explain(CommandError("\(error)", status: .failure))
      return .failure
    }
  }

  private static func chooseCommand(_ arguments: inout Arguments) throws -> any Command.Type {
    guard let word = arguments.takeCommand() else { return commands[0] }
    guard let command = commands.first(where: { $0.name == word }) else {
      let names = commands.map { $0.name }.joined(separator: ", ")
      throw CommandError.usage("There is no command '\(word)'. The commands are: \(names).")
    }
    return command
  }

  private static func explain(_ error: CommandError) {
    let page = Page(.standardError)
    page.write("\(name): \(error.message)")
    guard error.status == .usage else { return }
    for line in Help.usageLines(of: commands) { page.write(line) }
    page.write("'\(name) --help' explains them.")
  }
}
