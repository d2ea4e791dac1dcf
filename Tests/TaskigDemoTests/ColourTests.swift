import Foundation
import Testing

extension DemoTests {
  /// When the output has colours; `script` plays the terminal.
  @Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "There is no script."))
  struct ColourTests {
    @Test
    func `A terminal gets colours`() throws {
      let run = try helpOnTerminal()
      #expect(run.output.contains("\u{1B}[1mOptions:\u{1B}[0m"))
    }

    @Test
    func `NO_COLOR switches them off`() throws {
      let run = try helpOnTerminal(["NO_COLOR": "1"])
      #expect(run.output.contains("Options:"))
      #expect(!run.output.contains("\u{1B}"))
    }

    @Test
    func `NO_COLOR that is empty does not`() throws {
      #expect(try helpOnTerminal(["NO_COLOR": ""]).output.contains("\u{1B}[1m"))
    }

    @Test
    func `A dumb terminal gets none`() throws {
      let run = try helpOnTerminal(["TERM": "dumb"])
      #expect(run.output.contains("Options:"))
      #expect(!run.output.contains("\u{1B}"))
    }

    private func helpOnTerminal(_ environment: [String: String] = [:]) throws -> ChildRun {
      let demo = try Products.demo()
      #if os(Linux)
        let arguments = ["-q", "-e", "-c", "'\(demo)' --help", "/dev/null"]
      #else
        let arguments = ["-q", "/dev/null", demo, "--help"]
      #endif
      let run = try ChildRun("/usr/bin/script", arguments, environment: environment)
      #expect(run.status == 0)
      return run
    }
  }
}
