import Foundation
import Testing

extension DemoTests {
  /// What becomes of the output of the jobs that `each` runs.
  struct EachOutputTests {
    private let folder: ScratchFolder

    init() throws {
      folder = try ScratchFolder()
    }

    /// Runs `each` in the folder, with one more inside for its temporary files.
    private func each(
      _ words: String..., location: SourceLocation = #_sourceLocation, meanwhile: (pid_t) throws -> Void = { _ in }
    ) throws -> ChildRun {
      try FileManager.default.createDirectory(at: folder.file("temporary"), withIntermediateDirectories: true)
      return try ChildRun(
        Products.demo(), ["each"] + words, environment: ["TMPDIR": folder.path(of: "temporary")], in: folder.url,
        sourceLocation: location, meanwhile: meanwhile)
    }

    private var leftovers: [String]? {
      try? FileManager.default.contentsOfDirectory(atPath: folder.path(of: "temporary"))
    }

    /// A shell's way to wait until a file is there.
    private let await = "until [ -e $1 ]; do sleep 0.02; done; "

    @Test
    func `The output of each job stays together, and comes when it ends`() throws {
      // The first one begins to write, and waits for the second to end.
      let run = try each(
        "-j2", "sh", "-c",
        "echo $1 begins; if [ $1 = a ]; then set -- b; \(`await`) echo a; echo oh >&2; else touch b; fi; echo ends",
        "sh", ":::", "a", "b")
      #expect(run.status == 0)
      #expect(["a begins\na\nends\nb begins\nends\n", "b begins\nends\na begins\na\nends\n"].contains(run.output))
      #expect(run.errors.hasPrefix("oh\ntaskig-demo: 2 jobs done, 0 failed in "))
    }

    @Test
    func `With --keep-order it comes in the order of the arguments`() throws {
      // Each waits for the one after it.
      let run = try each(
        "-q", "-k", "-j4", "sh", "-c",
        "echo $1; echo e$1 >&2; this=$1; set -- $(($1 + 1)); [ $1 = 5 ] || { \(`await`) }; touch $this; echo $this",
        "sh", ":::", "1",
        "2", "3", "4")
      #expect(run.output == "1\n1\n2\n2\n3\n3\n4\n4\n")
      #expect(run.errors == "e1\ne2\ne3\ne4\n")
    }

    @Test
    func `With --keep-order the job whose turn it is prints at once`() throws {
      // The first job ends only when what it has written has been seen, and so does the second.
      for options in ["-kj2", "-qj1"] {
        let run = try ChildRun(
          "/bin/sh",
          [
            "-c",
            #"""
            "$0" each \#(options) sh -c 'echo $1; until [ -e saw$1 ]; do sleep 0.02; done; echo over' sh ::: a b |
            while read line; do echo "$line"; touch "saw$line"; done
            """#, Products.demo(),
          ], in: folder.url)
        #expect(run.output == "a\nover\nb\nover\n")
        for name in ["sawa", "sawb"] { try FileManager.default.removeItem(at: folder.file(name)) }
      }
    }

    @Test(arguments: ["-j2", "-kj2", "-j1"])
    func `Much output is the same byte for byte, and leaves no files behind`(option: String) throws {
      let piece = Data((0..<9_973).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
      let bytes = (0..<Machine.stress(60)).reduce(into: Data()) { all, _ in all += piece }
      try bytes.write(to: folder.file("bytes"))
      try FileManager.default.createDirectory(at: folder.file("temporary"), withIntermediateDirectories: true)
      let run = try ChildRun(
        "/bin/sh", ["-c", #""$0" each -q \#(option) cat ::: bytes bytes > copy"#, Products.demo()],
        environment: ["TMPDIR": folder.path(of: "temporary")], in: folder.url)
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(try Data(contentsOf: folder.file("copy")) == bytes + bytes)
      #expect(leftovers == [])
    }

    @Test
    func `What a job leaves running still belongs to it`() throws {
      let run = try each(
        "-q", "sh", "-c", "(\(`await`) echo late) & echo $1; (sleep 0.1; touch $1) >/dev/null 2>&1 &", "sh", ":::",
        "gate")
      #expect(run.output == "gate\nlate\n")
    }

    @Test
    func `A closed pipe ends the jobs and the tool quietly`() throws {
      let run = try ChildRun(
        "/bin/sh",
        [
          "-c", #"{ yes | "$0" each -j2 echo; echo $? >status; } | head -n 1"#, Products.demo(),
        ], in: folder.url)
      #expect(run.output == "y\n")
      #expect(run.errors == "")
      #expect(folder.text(of: "status") == "\(128 + SIGPIPE)\n")
    }

    @Test(
      .enabled(
        if: FileManager.default.fileExists(atPath: "/dev/full"), "There is no device that is always full."))
    func `Output that cannot be written ends the jobs, and is an error`() throws {
      let mark = ProcessMark()
      let job = "touch $1; [ $1 = a ] || exec sleep \(mark.seconds); until [ -e b ]; do sleep 0.02; done; echo"
      let words = #""$0" each -j2 sh -c '\#(job)' sh ::: b a c >/dev/full"#
      let run = try ChildRun("/bin/sh", ["-c", words, Products.demo()], in: folder.url)
      #expect(run.status == 255)
      #expect(run.errors == "taskig-demo: The output cannot be written: No space left on device.\n")
      // By what they run: a child that has ended keeps its number until somebody reaps it.
      #expect(try folder.names() == ["a", "b"] && mark.processes == [])
    }

    @Test(
      .enabled(
        if: FileManager.default.fileExists(atPath: "/dev/full"), "There is no device that is always full."),
      arguments: ["1", "2"])
    func `A failure that cannot be told is no success`(jobs: String) throws {
      let run = try ChildRun(
        "/bin/sh", ["-c", #""$0" each -q -j "$1" false ::: a b 2>/dev/full"#, Products.demo(), jobs])
      #expect(run.status == 255)
    }

    @Test
    func `A temporary folder without room is an error that names the remedy`() throws {
      let run = try ChildRun(
        "/bin/sh",
        ["-c", #""$0" each -j2 sh -c 'head -c 1000000 /dev/zero; exec sleep 60' sh ::: a b"#, Products.demo()],
        environment: ["TMPDIR": folder.path(of: "none")], in: folder.url)
      #expect(run.status == 255)
      #expect(run.output == "")
      #expect(
        run.errors == "taskig-demo: The output of a job cannot be kept in '\(folder.path(of: "none"))': "
          + "No such file or directory. Set TMPDIR to a folder with more room.\n")
      let record = try ChildRun(
        Products.demo(), ["each", "--json", "head", "-c", "100000", ":::", "/dev/zero"],
        environment: ["TMPDIR": folder.path(of: "none")])
      #expect(record.status == 255)
      #expect(record.errors.contains("cannot be kept"))
    }

    @Test
    func `A device that is full names the remedy too`() throws {
      // Only a superuser may make such a folder.
      let words = #"""
        mkdir small && mount -t tmpfs -o size=1m tmpfs small 2>/dev/null || exit 99
        TMPDIR=$PWD/small "$0" each -j2 head -c 3000000 ::: /dev/zero /dev/zero
        status=$?; ls small; umount small; exit $status
        """#
      let run = try ChildRun("/bin/sh", ["-c", words, Products.demo()], in: folder.url)
      if run.status == 99 { return }
      #expect(run.status == 255)
      #expect(run.output == "")
      #expect(
        run.errors == "taskig-demo: The output of a job cannot be kept in '\(folder.path(of: "small"))': "
          + "No space left on device. Set TMPDIR to a folder with more room.\n")
    }
  }
}
