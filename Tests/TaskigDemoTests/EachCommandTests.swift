import Foundation
import Testing

@testable import taskig_demo

extension DemoTests {
  /// What `each` makes of its words, without running any.
  struct EachCommandTests {
    private func command(_ words: [String]) throws -> EachCommand {
      try EachCommand(Arguments(words, options: EachCommand.allOptions, endsAtOperand: true))
    }

    @Test(arguments: [
      ([], "There is no command to run. Put one before the arguments, as in 'each wc -l ::: *.txt'."),
      ([":::", "a"], "There is no command to run. Put one before the arguments, as in 'each wc -l ::: *.txt'."),
      (["-j0", "true"], "'--jobs' is '0'. Make it a whole number from 1 to 1000, as in '-j 4'."),
      (["-t", "soon", "true"], "'--timeout' is 'soon'. Make it a number of seconds above zero, as in '-t 30'."),
      (
        ["true", ":::", "a", ":::", "b"],
        "There are several ':::'. Put all arguments after one, or one on each line of standard input."
      ),
      (["-0", "true", ":::", "a"], "'--null' is for arguments from standard input. Leave it or ':::' away."),
      (
        ["--fail-fast", "--keep-going", "true"],
        "'--fail-fast' and '--keep-going' contradict each other. Leave one away."
      ),
      (["-n", "--json", "true"], "'--dry-run' has no results that '--json' could print. Leave one away."),
    ])
    func `A wrong command line is told with what to do`(words: [String], message: String) throws {
      let error = try #require(throws: CommandError.self) { _ = try command(words) }
      #expect(error.message == message)
      #expect(error.status == .usage)
    }

    @Test
    func `Options after the command are the command's`() throws {
      _ = try command(["-j4", "-0qkn", "ls", "-z", "--frobnicate", "-j0"])
      _ = try command(["--null", "--jobs=4", "--retries", "2", "--timeout", "0.5", "--", "-ls"])
    }

    @Test(arguments: [
      (["a"], ["a", "x y"]),
      (["a", "b c"], ["a", "b c", "x y"]),
      (["a", "{}", "c"], ["a", "x y", "c"]),
      (["a", "1{}2{}{}3", "-{", "}", "{}"], ["a", "1x y2x yx y3", "-{", "}", "x y"]),
      (["{}", "b"], ["x y", "b"]),
      (["bin/{}.sh"], ["bin/x y.sh"]),
    ])
    func `The argument stands wherever the command has a place for it, or last`(words: [String], filled: [String])
      throws
    {
      let command = try #require(CommandTemplate(words)).command(for: "x y")
      #expect([command.program] + command.arguments == filled)
    }

    @Test
    func `A place in the argument is none`() throws {
      #expect(try #require(CommandTemplate(["a", "{}{}"])).command(for: "{}").arguments == ["{}{}"])
    }
  }
}
