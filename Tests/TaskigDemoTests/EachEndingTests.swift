import Foundation
import Testing

extension DemoTests {
  /// How `each` ends jobs that have to end, and tries those again that fail.
  struct EachEndingTests {
    private let folder: ScratchFolder
    private let mark = ProcessMark()
    /// What a job does that is to be ended.
    private var nap: String { "sleep \(mark.seconds)" }

    init() throws {
      folder = try ScratchFolder()
    }

    private func each(
      _ words: [String], location: SourceLocation = #_sourceLocation, meanwhile: (pid_t) throws -> Void = { _ in }
    ) throws -> ChildRun {
      try ChildRun(
        Products.demo(), ["each"] + words, environment: ["TMPDIR": folder.path], in: folder.url,
        sourceLocation: location,
        meanwhile: meanwhile)
    }

    /// Sends a signal when files of these names are there.
    private func sending(_ signal: Int32, after names: String...) -> (pid_t) -> Void {
      { child in
        #expect(eventually { names.allSatisfy(folder.has) })
        kill(child, signal)
      }
    }

    @Test(arguments: [SIGINT, SIGHUP])
    func `A signal ends the jobs, and leaves no files behind`(signal: Int32) throws {
      let run = try each(
        ["-j2", "sh", "-c", "head -c 300000 /dev/zero; touch $1; exec \(nap)", "sh", ":::", "a", "b", "c"],
        meanwhile: sending(signal, after: "a", "b"))
      #expect(run.status == 128 + signal)
      #expect(mark.processes == [])
      #expect(run.errors.hasPrefix("taskig-demo: 0 jobs done, 0 failed, 2 called off in "))
      #expect(try folder.names() == ["a", "b"])
    }

    @Test
    func `It does not exit before jobs are gone that heed no SIGTERM, and what they have started`() throws {
      // Somebody impatient sends a second signal when the first one has been heeded, and the jobs are not gone yet: they
      // themselves, as SIGTERM comes.
      let signal = "trap 'kill -INT $PPID && touch i$1; exit' TERM"
      let impatient = "(\(signal); touch w$1; while [ -e w$1 ]; do sleep 0.02; done) & "
      let stubborn = "trap '' TERM; \(nap) & touch $1; wait; \(nap)"
      let run = try each(
        ["-j2", "sh", "-c", impatient + stubborn, "sh", ":::", "a", "b"],
        meanwhile: sending(SIGINT, after: "a", "b", "wa", "wb"))
      #expect(run.status == 130)
      #expect(try !folder.names().filter { $0.hasPrefix("i") }.isEmpty, "Nobody was impatient.")
      #expect(mark.processes == [])
    }

    @Test
    func `A signal ends it while it waits for an argument`() throws {
      let words = #"mkfifo pipe; exec 3<>pipe; echo a >&3; exec "$0" each -j2 touch <&3"#
      let run = try ChildRun(
        "/bin/sh", ["-c", words, Products.demo()], in: folder.url, meanwhile: sending(SIGTERM, after: "a"))
      #expect(run.status == 143)
    }

    @Test
    func `A signal ends it while nobody reads what it prints`() throws {
      let words = #"""
        mkfifo pipe; exec 3<>pipe
        exec "$0" each -j2 sh -c 'head -c 200000 /dev/zero; touch $1' sh ::: a b c >&3
        """#
      let run = try ChildRun(
        "/bin/sh", ["-c", words, Products.demo()], in: folder.url, meanwhile: sending(SIGINT, after: "a", "b"))
      #expect(run.status == 130)
    }

    @Test
    func `The first failure ends it with --fail-fast`() throws {
      let run = try each([
        "-j2", "--fail-fast", "sh", "-c",
        "touch $1; case $1 in a) exec \(nap);; b) until [ -e a ]; do sleep 0.02; done; echo oh; exit 7;; esac",
        "sh", ":::",
        "a", "b", "c", "d",
      ])
      #expect(run.status == 1)
      #expect(run.output == "oh\n")
      #expect(run.errors.contains(" b: exited with status 7\n"))
      #expect(run.errors.contains("taskig-demo: 1 job done, 1 failed, 1 called off in "))
      #expect(try folder.names() == ["a", "b"])
      #expect(mark.processes == [])
    }

    @Test
    func `With --fail-fast the failure is told though it is not its turn`() throws {
      let words = #"exec "$0" each -k -j2 --fail-fast sh -c "$1" sh ::: a b c >printed"#
      let job = "echo $1; case $1 in a) exec \(nap);; b) until [ -e go ]; do sleep 0.02; done; exit 7;; esac"
      let run = try ChildRun("/bin/sh", ["-c", words, Products.demo(), job], in: folder.url) { _ in
        // What a job has written at the moment in which it is ended may be lost.
        #expect(eventually { folder.text(of: "printed") == "a\n" })
        try folder.write("", to: "go")
      }
      #expect(run.status == 1)
      #expect(folder.text(of: "printed") == "a\nb\n")
      #expect(run.errors.contains(" b: exited with status 7\n"))
      #expect(mark.processes == [])
    }

    @Test
    func `A job is tried again until it succeeds, and only the last attempt's output is printed`() throws {
      let run = try each([
        "-q", "-j2", "-r5", "sh", "-c", "echo x >>$1; echo $(wc -l <$1); [ $(wc -l <$1) -ge $1 ]", "sh", ":::", "3",
        "1",
      ])
      #expect(run.status == 0)
      #expect(run.lines.sorted() == ["", "1", "3"])
      let command = #"sh -c 'echo x >>$1; echo $(wc -l <$1); [ $(wc -l <$1) -ge $1 ]' sh 3"#
      #expect(
        run.errors == """
          taskig-demo: \(command): exited with status 1; attempt 2 of 6 follows
          taskig-demo: \(command): exited with status 1; attempt 3 of 6 follows

          """)
    }

    @Test
    func `A job that fails each time is told once, with how often it was tried`() throws {
      let run = try each(["-r2", "sh", "-c", "echo x >>$1; echo no >&2; exit 4", "sh", ":::", "log"])
      #expect(run.status == 1)
      #expect(folder.text(of: "log") == "x\nx\nx\n")
      #expect(run.errors.hasSuffix(" s") || run.errors.hasSuffix("s\n"))
      #expect(
        run.errors.contains(
          "no\ntaskig-demo: sh -c 'echo x >>$1; echo no >&2; exit 4' sh log: exited with status 4 (after 3 attempts)\n")
      )
      #expect(run.errors.components(separatedBy: "no\n").count == 2)
      #expect(run.errors.contains("taskig-demo: 1 job done, 1 failed, 2 attempts repeated in "))
    }

    @Test
    func `An attempt that takes too long is ended, with what it has printed`() throws {
      // Long enough for a shell to begin, and to end where it has nothing to do, on a busy machine.
      let run = try each(["-q", "-t2", "sh", "-c", "echo begun; exec sleep $1", "sh", ":::", mark.seconds, "0"])
      #expect(run.status == 1)
      #expect(run.output == "begun\nbegun\n")
      #expect(run.errors.hasSuffix(" \(mark.seconds): took longer than 2.00 s and was ended\n"))
      #expect(mark.processes == [])
    }
  }
}
