@testable import taskig_demo

/// Commands that do nothing, with every kind of option and operand, for what is made from the table of commands.
enum SampleCommands {
  static let all: [any Command.Type] = [Look.self, Over.self, Read.self, Web.self]

  /// The default one, with a value of each kind.
  struct Look: Sample {
    static let name = "look"
    static let options = [
      Option("in", value: .folder("DIR", as: "Sources"), #"Where to look, it's [here] \ "there". More is said here."#),
      Option("from", value: .file("FILE", as: "list"), "A file."),
      Option("as", value: Option.Value(name: "FORM", kind: .word(["text", "json"]), example: "json"), "The form."),
      Option(letter: "q", "quiet", "Say nothing."),
    ]
  }

  /// One that takes a command.
  struct Over: Sample {
    static let name = "over"
    static let options = [Option(letter: "j", "jobs", value: .number("N", as: "4"), "How many at once.")]
    static let operands = Operands.command
  }

  /// One that takes files.
  struct Read: Sample {
    static let name = "read"
    static let options: [Option] = []
    static let operands = Operands.files
  }

  /// One that takes URLs.
  struct Web: Sample {
    static let name = "web"
    static let options: [Option] = []
    static let operands = Operands.urls
  }

  protocol Sample: Command {
    init()
  }
}

extension SampleCommands.Sample {
  static var summary: String { "Do what '\(name)' says: nothing." }
  static var usages: [String] { ["[OPTION]..."] }
  static var details: [String] { [".hidden files\\nare not meant."] }
  static var examples: [(command: String, meaning: String)] { [("'\(name)' \"a\\b\" ~ `x` ^", "Try it.")] }
  static var statuses: [(status: String, meaning: String)] { [("0", "Always.")] }

  init(_ arguments: Arguments) throws { self.init() }

  func run(on page: Page) throws -> ExitStatus { .success }
}
