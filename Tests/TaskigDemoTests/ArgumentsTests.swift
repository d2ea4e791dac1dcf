import Testing

@testable import taskig_demo

extension DemoTests {
  /// How words are taken apart into options, values and operands.
  struct ArgumentsTests {
    private static let jobs = Option(letter: "j", "jobs", value: .number("N", as: "4"), "How many at once.")
    private static let wait = Option("wait", value: .number("SECONDS", as: "2"), "How long.")
    private static let quiet = Option(letter: "q", "quiet", "Say nothing.")
    private static let keep = Option(letter: "k", "keep", "Go on.")
    private static let options = [jobs, wait, quiet, keep, .help]

    @Test(arguments: [
      ["-j", "4"], ["-j4"], ["-j=4"], ["--jobs", "4"], ["--jobs=4"], ["-j2", "--jobs=4"], ["-qj4"], ["-qj", "4"],
      ["-kqj=4", "x"],
    ])
    func `A value stands after its option, or at it`(words: [String]) throws {
      #expect(try parse(words).number(Self.jobs, in: 1...64) == 4)
    }

    @Test
    func `Flags of one letter stand together`() throws {
      let arguments = try parse(["-qk"])
      #expect(arguments.has(Self.quiet) && arguments.has(Self.keep) && !arguments.has(.help))
    }

    @Test
    func `A dash alone is an operand or a value, and after two dashes all are operands`() throws {
      #expect(try parse(["-", "-q", "x", "--", "-k", "--", "é"]).operands == ["-", "x", "-k", "--", "é"])
      #expect(try parse(["--jobs", "-"]).value(of: Self.jobs) == "-")
      #expect(try parse(["--jobs=--"]).value(of: Self.jobs) == "--")
    }

    @Test
    func `Where the operands are a command, its options are its own`() throws {
      let words = ["-j4", "gzip", "-h", "--keep", "--", "-"]
      let arguments = try Arguments(words, options: Self.options, endsAtOperand: true)
      #expect(arguments.operands == ["gzip", "-h", "--keep", "--", "-"])
      #expect(!arguments.has(.help) && !arguments.has(Self.keep))
      #expect(try Arguments(["--", "-x", "-h"], options: Self.options, endsAtOperand: true).operands == ["-x", "-h"])
    }

    @Test(arguments: [
      (["-x"], "There is no option '-x'."),
      (["-qx"], "There is no option '-x'."),
      (["-é"], "There is no option '-é'."),
      (["--"], nil),
      (["--=4"], "There is no option '--'."),
      (["--job"], "There is no option '--job'. Did you mean '--jobs'?"),
      (["--qu"], "There is no option '--qu'. Did you mean '--quiet'?"),
      (["--qiuet"], "There is no option '--qiuet'. Did you mean '--quiet'?"),
      (["--jbos=4"], "There is no option '--jbos'. Did you mean '--jobs'?"),
      (["-wait=1"], "There is no option '-w'."),
      (["-wait"], "There is no option '-wait'. Did you mean '--wait'?"),
      (["--parallel"], "There is no option '--parallel'."),
      (["-j"], "'--jobs' lacks its value. Put one after it, as in '-j 4'."),
      (["-j="], "'--jobs' lacks its value. Put one after it, as in '-j 4'."),
      (["-j", ""], "'--jobs' lacks its value. Put one after it, as in '-j 4'."),
      (["-j", "-q"], "'--jobs' lacks its value. Put one after it, as in '-j 4'."),
      (["--jobs", "--"], "'--jobs' lacks its value. Put one after it, as in '-j 4'."),
      (["--jobs="], "'--jobs' lacks its value. Put one after it, as in '-j 4'."),
      (["-q=1"], "'-q' takes no value. Leave '=1' away."),
      (["--quiet="], "'--quiet' takes no value. Leave '=' away."),
      (["-j", "0"], "'--jobs' is '0'. Make it a whole number from 1 to 64, as in '-j 4'."),
      (["-j", "-1"], "'--jobs' is '-1'. Make it a whole number from 1 to 64, as in '-j 4'."),
      (["-j-1"], "'--jobs' is '-1'. Make it a whole number from 1 to 64, as in '-j 4'."),
      (["-j", "4x"], "'--jobs' is '4x'. Make it a whole number from 1 to 64, as in '-j 4'."),
      (
        ["-j", "99999999999999999999"],
        "'--jobs' is '99999999999999999999'. Make it a whole number from 1 to 64, as in '-j 4'."
      ),
      (["--wait", "-0.5"], "'--wait' is '-0.5'. Make it a number of seconds above zero, as in '--wait 2'."),
      (["--wait", "nan"], "'--wait' is 'nan'. Make it a number of seconds above zero, as in '--wait 2'."),
      (["--wait", "inf"], "'--wait' is 'inf'. Make it a number of seconds above zero, as in '--wait 2'."),
    ])
    func `What is wrong is told with the remedy`(words: [String], message: String?) {
      var said: String?
      do {
        let arguments = try parse(words)
        _ = try arguments.number(Self.jobs, in: 1...64)
        _ = try arguments.seconds(Self.wait)
      } catch {
        said = (error as? CommandError)?.message ?? "\(error)"
      }
      #expect(said == message)
    }

    private func parse(_ words: [String]) throws -> Arguments {
      try Arguments(words, options: Self.options, endsAtOperand: false)
    }
  }
}
