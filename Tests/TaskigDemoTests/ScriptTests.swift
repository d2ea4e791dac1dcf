import Foundation
import Testing

extension DemoTests {
  /// Scripts end as they should: a program of its own for each, which sends itself the signals.
  struct ScriptTests {
    /// What a flow, its program's status, output and errors are.
    struct Ending: CustomTestStringConvertible {
      let flow: String
      var status: Int32?
      var output = ""
      var errors = ""

      var testDescription: String { flow }
    }

    private static let endings = [
      Ending(flow: "returns", status: 0, output: "all is well\n"),
      Ending(flow: "throws", status: 1, errors: "The disk is not ready.\n"),
      Ending(flow: "throws another", status: 1, errors: "Unexpected(number: 7)\n"),
      Ending(flow: "exits", status: 9),
      Ending(flow: "exits with a status", status: 3),
      Ending(flow: "explains its use", status: 64, errors: "usage: resize <image>\n"),
      Ending(flow: "is interrupted", status: 130, output: "cleaned up\n"),
      Ending(flow: "is terminated", status: 143, output: "cleaned up\n"),
      Ending(flow: "is interrupted in many tasks", status: 130),
      Ending(flow: "returns in spite of a signal", status: 0, output: "done all the same\n"),
      // Its output is a pipe, whose buffer goes with the process.
      Ending(flow: "is interrupted twice", status: nil),
      Ending(flow: "cancels itself", status: 1, errors: "The task was cancelled.\n"),
      Ending(flow: "reaches the main actor", status: 0, output: "on the main actor: true\n"),
      Ending(flow: "is called off by its own scope", status: 128 + SIGUSR1),
    ]

    @Test(arguments: endings) func `a script ends with its flow`(_ ending: Ending) throws {
      let run = try Self.run(ending.flow)
      #expect(run.status == ending.status)
      #expect(run.output == ending.output)
      #expect(run.errors == ending.errors)
    }

    @Test func `an error of Foundation's is written as it is said to people`() throws {
      let run = try Self.run("throws one of Foundation's")
      #expect(run.status == 1)
      // Its words are Foundation's, and differ from one platform to the other.
      #expect(run.errors.split(separator: "\n").count == 1 && !run.errors.contains("Domain="), "\(run.errors)")
    }

    @Test(arguments: [("throws", Int32(1)), ("explains its use", 64)], ["2>&-", "1>&- 2>&-"])
    func `a script whose errors cannot be written ends with its status all the same`(
      _ ending: (flow: String, status: Int32), _ closed: String
    ) throws {
      let run = try ChildRun(
        "/bin/sh", ["-c", "exec \"$0\" \"$1\" \(closed)", Products.program("ScriptEndings"), ending.flow])
      #expect(run.status == ending.status)
    }

    /// Runs the snippet that ends as `flow` says.
    private static func run(_ flow: String) throws -> ChildRun {
      // What started the tests may have it ignored, which the program would inherit and heed.
      signal(SIGINT, SIG_DFL)
      return try ChildRun(Products.program("ScriptEndings"), [flow])
    }
  }
}
