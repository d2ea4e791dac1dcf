import Foundation
import Testing

@testable import taskig_demo

extension DemoTests {
  /// What the program makes of its arguments.
  struct CommandLineTests {
    @Test(arguments: ["--help", "-h"])
    func `Help goes to standard output and names every command`(option: String) throws {
      let run = try ChildRun.demo(option)
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(run.output.contains("Usage: taskig-demo [COMMAND] [OPTION]...\n"))
      for word in ["tour", "-h, --help", "--version", "NO_COLOR", "COLUMNS"] {
        #expect(run.lines.contains { $0.hasPrefix("  \(word)  ") })
      }
      #expect(run.lines.filter { $0.count > 80 } == [])
    }

    @Test(arguments: ["--help", "-h"])
    func `Help of a command explains its options, with examples and what it exits with`(option: String) throws {
      let run = try ChildRun.demo("tour", option)
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(run.output.contains("Usage: taskig-demo tour [--path DIR]\n"))
      for word in ["--path DIR", "-h, --help", "64"] {
        #expect(run.lines.contains { $0.hasPrefix("  \(word)  ") })
      }
      #expect(run.output.contains("\n  taskig-demo tour --path Sources\n"))
      #expect(run.lines.filter { $0.count > 80 } == [])
    }

    @Test
    func `The version is one line`() throws {
      let run = try ChildRun.demo("--version")
      #expect(run.status == 0)
      #expect(run.output == "taskig-demo 0.1.0\n")
      #expect(run.errors == "")
    }

    @Test(arguments: [
      (["tour", "--frobnicate"], "There is no option '--frobnicate'."),
      (["tour", "-x"], "There is no option '-x'."),
      (["tour", "--help=yes"], "'--help' takes no value. Leave '=yes' away."),
      (["tour", "Sources"], "The argument 'Sources' is one too many."),
      (["--path"], "'--path' lacks its value. Put one after it, as in '--path Sources'."),
      (["--path="], "'--path' lacks its value. Put one after it, as in '--path Sources'."),
      (["tour", "--path", "--frobnicate"], "'--path' lacks its value. Put one after it, as in '--path Sources'."),
    ])
    func `A wrong command line is told with the usage, and exits with 64`(words: [String], message: String)
      throws
    {
      let run = try ChildRun(Products.demo(), words)
      #expect(run.status == 64)
      #expect(run.output == "")
      #expect(run.errors.hasPrefix("taskig-demo: \(message)"))
      #expect(run.errors.contains("Usage: taskig-demo tour [--path DIR]\n"))
    }

    @Test(arguments: [
      (["--versio"], "There is no option '--versio'. Did you mean '--version'?"),
      (["-x"], "There is no option '-x'."),
      (["--version=2"], "'--version' takes no value. Leave '=2' away."),
      (["help"], "There is no command 'help'. Did you mean '--help'?"),
      (["version"], "There is no command 'version'. Did you mean '--version'?"),
    ])
    func `A mistake in the first word is told without the usage of a command`(words: [String], message: String)
      throws
    {
      let run = try ChildRun(Products.demo(), words)
      #expect(run.status == 64)
      #expect(run.output == "")
      #expect(run.errors.hasPrefix("taskig-demo: \(message)") && !run.errors.contains("Usage"))
      #expect(run.errors.hasSuffix("\n'taskig-demo --help' explains all that there is.\n"))
    }

    @Test
    func `A command that there is not is told with those that there are`() throws {
      let run = try ChildRun.demo("tuor")
      #expect(run.status == 64)
      #expect(run.output == "")
      #expect(
        run.errors.hasPrefix("taskig-demo: There is no command 'tuor'. Did you mean 'tour'? The commands are: tour"))
      #expect(try ChildRun.demo("").errors.hasPrefix("taskig-demo: There is no command ''. The commands are: tour"))
    }

    @Test(arguments: DemoTool.commands.map { $0.name })
    func `The help of every command has all parts, and fits 80 columns`(command: String) throws {
      let run = try ChildRun.demo(command, "--help")
      #expect(run.status == 0)
      for part in [
        "Usage: taskig-demo \(command)", "Options:", "  -h, --help  ", "Examples:", "Exit status:", "  0  ",
      ] {
        #expect(run.lines.contains { $0.hasPrefix(part) })
      }
      #expect(run.lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])
    }

    @Test
    func `A message that nobody can read does not change what it exits with`() throws {
      #expect(try ChildRun("/bin/sh", ["-c", #""$0" tuor 2>&-"#, try Products.demo()]).status == 64)
    }

    @Test
    func `A folder that is not there is told with the remedy, and exits with 66`() throws {
      let run = try ChildRun.demo("--path", "/no/such/folder")
      #expect(run.status == 66)
      #expect(run.output == "")
      #expect(
        run.errors.hasPrefix("taskig-demo: There is no folder '/no/such/folder'. Pass one that exists: "))
    }

    @Test(arguments: ["--path", "--path="])
    func `A file in place of a folder is told, and exits with 66`(option: String) throws {
      let folder = try SampleFolder()
      let file = folder.url.appendingPathComponent("a.txt").path
      let words = option.hasSuffix("=") ? [option + file] : [option, file]
      let run = try ChildRun(Products.demo(), words)
      #expect(run.status == 66)
      #expect(run.output == "")
      #expect(run.errors.hasPrefix("taskig-demo: '\(file)' is a file, not a folder. "))
    }

    @Test(
      .enabled(
        if: FileManager.default.fileExists(atPath: "/dev/full"), "There is no device that is always full."))
    func `Output that cannot be written is an error, not a success`() throws {
      let run = try ChildRun("/bin/sh", ["-c", #""$0" --help >/dev/full"#, try Products.demo()])
      #expect(run.status == 74)
      #expect(run.errors.hasPrefix("taskig-demo: The output cannot be written: "))
    }
  }
}
