import Foundation
import Testing

extension DemoTests {
  /// What `each` runs, and what it exits with.
  struct EachRunTests {
    private func each(
      _ words: [String], input: String? = nil, location: SourceLocation = #_sourceLocation
    ) throws -> ChildRun {
      try ChildRun(Products.demo(), ["each"] + words, input: input, sourceLocation: location)
    }

    /// A command that prints its words in brackets, each on a line of its own whatever is in it.
    private let show = ["-j1", "sh", "-c", #"for word; do printf '<%s>' "$word"; done; echo"#, "sh"]

    @Test
    func `The command runs once for each argument, which comes last`() throws {
      let run = try each(show + ["first", ":::", "a", "b c", "d\ne", "", "'\"$HOME*"])
      #expect(run.output == "<first><a>\n<first><b c>\n<first><d\ne>\n<first><>\n<first><'\"$HOME*>\n")
      #expect(run.status == 0)
      #expect(run.errors.hasPrefix("taskig-demo: 5 jobs done, 0 failed in "))
    }

    @Test
    func `Without arguments each line of standard input is one`() throws {
      let run = try each(show, input: "a\n b  c \n\n'\"\\\nlast")
      #expect(run.output == "<a>\n< b  c >\n<>\n<'\"\\>\n<last>\n")
      #expect(run.status == 0)
    }

    @Test
    func `With a NUL between arguments they may hold line breaks`() throws {
      let run = try each(["-0"] + show, input: "a\nb\0\0 c\0d")
      #expect(run.output == "<a\nb>\n<>\n< c>\n<d>\n")
      #expect(run.status == 0)
    }

    @Test
    func `No arguments are no jobs`() throws {
      for run in [try each(["false"], input: ""), try each(["false", ":::"])] {
        #expect(run.status == 0)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("taskig-demo: 0 jobs done, 0 failed in "))
      }
      #expect(try each(["-q", "false"]).errors == "")
    }

    @Test
    func `Lines are read no sooner than a job needs them, and never end`() throws {
      // One that reads ahead for good, or waits for the end, does not come to the failure.
      let demo = try Products.demo()
      let run = try ChildRun(
        "/bin/sh", ["-c", #"yes | "$0" each -q -j1 --fail-fast false"#, demo])
      #expect(run.status == 1)
    }

    @Test
    func `Jobs read nothing`() throws {
      #expect(try each(["-j1", "sh", "-c", "cat; echo $1", "sh"], input: "a\nb\n").output == "a\nb\n")
    }

    @Test(arguments: [
      (
        #"printf 'a\nb\377\nc\n'"#, [],
        "Line 2 of standard input is not UTF-8. Convert it first, with iconv for example."
      ),
      (
        #"printf 'a\nb\000c\n'"#, [],
        "Line 2 of standard input holds a NUL character. Pass '--null' if that is what separates the arguments."
      ),
      (
        #"printf 'a\000\377\000c\n'"#, ["-0"],
        "Argument 2 of standard input is not UTF-8. Convert it first, with iconv for example."
      ),
      (
        "printf 'a\\n'; head -c 3000000 /dev/zero", [],
        "Line 2 of standard input is longer than a mebibyte. Say '--null' if that is what separates the arguments, or pass it in "
          + "a file."
      ),
    ])
    func `An argument that cannot be passed on as it is ends it`(input: String, options: [String], message: String)
      throws
    {
      let words = [try Products.demo(), "each", "-j1"] + options + ["echo"]
      let run = try ChildRun("/bin/sh", ["-c", #"{ \#(input); } | "$0" "$@""#] + words)
      #expect(run.status == 255)
      #expect(run.output == "a\n")
      #expect(run.errors == "taskig-demo: \(message)\n")
    }

    @Test
    func `A word that would be changed on its way is refused`() throws {
      let words = #""$0" each -n echo ::: a "$(printf 'b\377')""#
      let run = try ChildRun("/bin/sh", ["-c", words, Products.demo()])
      #expect(run.status == 255)
      #expect(run.output == "")
      #expect(run.errors.contains("is not UTF-8"))
    }

    @Test
    func `It exits with how many jobs failed, up to 100`() throws {
      let run = try each(["-j1", "sh", "-c", "exit $1", "sh", ":::", "0", "3", "0", "255"])
      #expect(run.status == 2)
      #expect(
        run.errors.hasPrefix(
          """
          taskig-demo: sh -c 'exit $1' sh 3: exited with status 3
          taskig-demo: sh -c 'exit $1' sh 255: exited with status 255
          taskig-demo: 4 jobs done, 2 failed in 
          """))
      #expect(try each(["-q", "false", ":::"] + (1...100).map(String.init)).status == 100)
      #expect(try each(["-q", "false", ":::"] + (1...102).map(String.init)).status == 101)
    }

    @Test
    func `A signal that ends a job is told by its name`() throws {
      let run = try each(["-q", "sh", "-c", "kill -9 $$", "sh", ":::", "a\nb"])
      #expect(run.status == 1)
      #expect(run.errors == "taskig-demo: sh -c 'kill -9 $$' sh 'a\\nb': was ended by signal 9 (Killed)\n")
    }

    @Test
    func `A command that is not there ends it before the other jobs`() throws {
      let folder = try ScratchFolder()
      try folder.write("not a program", to: "text")
      let missing = try each(["-j4", "no-such-program", ":::"] + (1...50).map(String.init))
      #expect(missing.status == 127)
      #expect(missing.errors.hasPrefix("taskig-demo: There is no program “no-such-program” that may be run. "))
      #expect(missing.errors.filter { $0 == "\n" }.count == 1)
      let unusable = try each(["-j4", folder.path(of: "text"), ":::"] + (1...50).map(String.init))
      #expect(unusable.status == 126)
      #expect(unusable.errors.hasPrefix("taskig-demo: “\(folder.path(of: "text")) "))
      #expect(unusable.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test
    func `A command that is not there ends it though the next argument is not known yet`() throws {
      let folder = try ScratchFolder()
      let words = #"mkfifo pipe; exec 3<>pipe; echo a >&3; exec "$0" each -j2 no-such-program <&3"#
      let run = try ChildRun("/bin/sh", ["-c", words, Products.demo()], in: folder.url)
      #expect(run.status == 127)
    }

    @Test
    func `A missing command that comes from an argument is a failed job`() throws {
      let run = try each(["-q", "-j1", "{}", "x", ":::", "echo", "no-such-program", "printf"])
      #expect(run.status == 1)
      #expect(run.output == "x\nx")
      #expect(
        run.errors.hasPrefix("taskig-demo: no-such-program x: There is no program “no-such-program” that may be run. "))
    }

    @Test
    func `An argument that is too long for the system is a failed job, and told briefly`() throws {
      let long = String(repeating: "x", count: 200_000)
      let run = try ChildRun(Products.demo(), ["each", "-q", "-j1", "echo"], input: "a\n\(long)\nb\n")
      #expect(run.status == 1)
      #expect(run.output == "a\nb\n")
      #expect(run.errors.contains("could not be started") && run.errors.count < 2_000)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "There is no bash."))
    func `More jobs than files can be open for are fewer, and told`() throws {
      // What is inherited from a process with many open files may have a number beyond the limit.
      let words =
        #"for ((n = 3; n < 2000; n++)); do eval "exec $n>&-"; done; ulimit -n 400; exec "$0" each -j 500 sh -c 'sleep 0.01; echo $0' :::"#
      let arguments = (1...60).map { "\($0)" }
      let run = try ChildRun("/bin/bash", ["-c", words + " " + arguments.joined(separator: " "), Products.demo()])
      #expect(run.status == 0)
      #expect(run.lines.sorted() == ([""] + arguments).sorted())
      #expect(run.errors.hasPrefix("taskig-demo: Only 42 jobs run at once, as only 400 files may be open. "))
    }

    @Test
    func `A wrong command line exits with 255`() throws {
      let run = try each([":::", "a"])
      #expect(run.status == 255)
      #expect(run.output == "")
      #expect(run.errors.hasPrefix("taskig-demo: There is no command to run. "))
      #expect(run.errors.contains("\nUsage: taskig-demo each "))
    }

    @Test
    func `Help fits the terminal and tells all options`() throws {
      let run = try each(["--help"])
      #expect(run.status == 0)
      #expect(run.lines.filter { $0.count > 80 } == [])
      for word in [
        "-j, --jobs N", "-0, --null", "-k, --keep-order", "--keep-going", "--fail-fast", "-r, --retries N",
        "-t, --timeout SECONDS",
        "-n, --dry-run", "--json", "-q, --quiet", "127",
      ] {
        #expect(run.lines.contains { $0 == "  \(word)" || $0.hasPrefix("  \(word)  ") }, "\(word)")
      }
    }
  }
}
