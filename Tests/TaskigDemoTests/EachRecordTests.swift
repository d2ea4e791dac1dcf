import Foundation
import Testing

@testable import taskig_demo

extension DemoTests {
  /// What `each` tells of its jobs: records, commands and progress.
  struct EachRecordTests {
    private func each(_ words: String..., environment: [String: String] = [:]) throws -> ChildRun {
      try ChildRun(Products.demo(), ["each"] + words, environment: environment)
    }

    private func records(in run: ChildRun) throws -> [JobRecord] {
      try run.output.split(separator: "\n").map { try JSONDecoder().decode(JobRecord.self, from: Data($0.utf8)) }
    }

    @Test
    func `With --json each job is a line`() throws {
      let before = Date().timeIntervalSince1970
      let run = try each(
        "--json", "-k", "-j2", "sh", "-c", "echo \"out $1\"; echo err/ >&2; exit $2$1", "a \"word\"", ":::", "0", "3")
      let records = try records(in: run)
      #expect(run.status == 1)
      #expect(records.map(\.argument) == ["0", "3"])
      #expect(records.map(\.status) == [0, 3])
      #expect(records.map(\.signal) == [nil, nil])
      #expect(records.map(\.attempts) == [1, 1])
      #expect(records.map(\.stdout) == ["out 0\n", "out 3\n"])
      #expect(records.map(\.stderr) == ["err/\n", "err/\n"])
      #expect(records.map(\.timedOut) == [false, false])
      #expect(records.map(\.truncated) == [false, false])
      #expect(records[0].command == #"sh -c 'echo "out $1"; echo err/ >&2; exit $2$1' 'a "word"' 0"#)
      for record in records {
        #expect((before...Date().timeIntervalSince1970).contains(record.start))
        #expect(record.seconds > 0)
      }
      #expect(run.errors.hasPrefix("taskig-demo: "))
      #expect(run.errors.contains(" 3: exited with status 3\n"))
    }

    @Test
    func `A record tells signals, time limits, attempts and commands that are not there`() throws {
      let run = try each(
        "--json", "-q", "-k", "-t60", "-r1", "{}", "-c", "kill -15 $$", ":::", "sh", "no-such-program")
      let records = try records(in: run)
      #expect(run.status == 2)
      #expect(records.map(\.signal) == [15, nil])
      #expect(records.map(\.status) == [nil, 127])
      #expect(records.map(\.attempts) == [2, 1])
      // Long enough for a shell to begin on a busy machine.
      let slow = try self.records(in: each("--json", "-q", "-t2", "sh", "-c", "echo a; exec sleep 60", ":::", ""))
      #expect(slow.map(\.timedOut) == [true])
      #expect(slow.map(\.status) == [nil])
      #expect(slow.map(\.stdout) == ["a\n"])
    }

    @Test
    func `A record holds the first mebibyte, and what is no text is repaired`() throws {
      let records = try records(
        in: each("--json", "sh", "-c", "head -c $1 /dev/zero | tr '\\0' x; printf 'a\\377' >&2", "sh", ":::", "1500000")
      )
      #expect(records.map(\.stdout) == [String(repeating: "x", count: 1 << 20)])
      #expect(records.map(\.stderr) == ["a\u{FFFD}"])
      #expect(records.map(\.truncated) == [true])
    }

    @Test
    func `A dry run prints what a shell would need, and runs nothing`() throws {
      let folder = try ScratchFolder()
      let arguments = [
        "plain", "two words", "it's", "line\nbreak", "", "'\u{301}; echo no #", "$HOME `x` \"*\" \\", "ü~#!",
      ]
      let script = "printf '<%s>' \"$1\" {}; touch ran"
      let dry = try ChildRun(
        Products.demo(), ["each", "--dry-run", "sh", "-c", "printf '<%s>' \"$1\"", "sh", "{}", ":::"] + arguments,
        in: folder.url)
      #expect(dry.status == 0)
      #expect(dry.errors == "")
      #expect(dry.lines[0] == #"sh -c 'printf '\''<%s>'\'' "$1"' sh plain"#)
      let run = try ChildRun("/bin/sh", ["-c", dry.output], in: folder.url)
      #expect(run.output == arguments.map { "<\($0)>" }.joined())
      _ = try ChildRun(Products.demo(), ["each", "-n", "sh", "-c", script, ":::", "a"], in: folder.url)
      #expect(try folder.names() == [])
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "There is no script."))
    func `A terminal shows how far it is, and what is printed stays`() throws {
      let demo = try Products.demo()
      let folder = try ScratchFolder()
      let log = folder.file("log")
      let job = "until [ -e go$1 ]; do sleep 0.02; done; printf $1; exit 3"
      let words = ["each", "-j1", "sh", "-c", job, "sh", ":::", "a", "b"]
      #if os(Linux)
        let line = ([demo] + words).map { "'\($0)'" }.joined(separator: " ")
        let arguments = ["-q", "-e", "-f", "-c", line, log.path]
      #else
        let arguments = ["-q", "-F", log.path, demo] + words
      #endif
      func drawn() -> String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }
      let run = try ChildRun("/usr/bin/script", arguments, in: folder.url) { _ in
        // Each job ends when it has been drawn.
        for (name, line) in [("a", "0/2 done, 0 failed, 1 running"), ("b", "1/2 done, 1 failed, 1 running")] {
          #expect(eventually { drawn().contains(line) }, "\(drawn())")
          try folder.write("", to: "go" + name)
        }
      }
      #expect(run.output.contains("0/2 done, 0 failed, 1 running, 0.0/s"))
      #expect(run.output.contains("1/2 done, 1 failed, 1 running, "))
      #expect(run.output.contains(" left\r\n"))
      #expect(
        run.output.contains("\u{1B}[Ja\r\ntaskig-demo: sh -c '\(job)' sh a: exited with status 3\r\n"))
      #expect(run.output.contains("\r\ntaskig-demo: 2 jobs done, 2 failed in "))
    }

    @Test
    func `Elsewhere there is no progress line`() throws {
      let run = try each("sleep", ":::", "0.3")
      #expect(run.output == "")
      #expect(!run.errors.contains("\u{1B}"))
      #expect(run.errors.filter { $0 == "\n" }.count == 1)
    }
  }
}
