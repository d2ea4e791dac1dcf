import Foundation
import Testing

extension DemoTests {
  /// The tour from its first line to its last, as a user sees it.
  struct TourTests {
    private static let usual = Result {
      let folder = try SampleFolder()
      return try ChildRun.demo("tour", "--path", folder.path)
    }

    @Test
    func `The tour plays eight chapters, passes its own checks and exits with 0`() throws {
      let run = try Self.usual.get()
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(!run.output.contains("FAILED"))
      #expect(run.lines.filter { $0.wholeMatch(of: /[1-8]  [A-Z].*/) != nil }.count >= 8)
      let checks = try #require(run.output.firstMatch(of: /All (\d+) checks passed\./))
      #expect(Int(checks.1) == run.lines.filter { $0.hasPrefix("   ok  ") }.count)
    }

    @Test
    func `It counts the lines, words and bytes of the folder's files by extension`() throws {
      let run = try Self.usual.get()
      #expect(cells(of: "txt", in: run) == ["2", "5", "6", "28"])
      #expect(cells(of: "swift", in: run) == ["1", "1", "4", "14"])
      #expect(cells(of: "(none)", in: run) == ["1", "1", "5", "18"])
      #expect(cells(of: "all", in: run) == ["4", "7", "15", "60"])
    }

    @Test
    func `It says what it skipped in the folder, and why`() throws {
      let text = flat(try Self.usual.get())
      #expect(text.contains("Skipped 5 files (1 binary, 1 over 1 MB, 2 links or special, 1 empty)"))
      #expect(text.contains("and 2 folders named .git or .build."))
    }

    @Test
    func `A run without arguments is the tour of the current folder`() throws {
      let folder = try SampleFolder()
      let run = try ChildRun.demo(in: folder.url)
      #expect(run.status == 0)
      #expect(cells(of: "all", in: run) == ["4", "7", "15", "60"])
    }

    @Test
    func `It ends with a row for each of its busiest threads and a line for each chapter`() throws {
      let run = try Self.usual.get()
      let start = try #require(run.lines.firstIndex(of: "What ran when, and on which thread"))
      let picture = run.lines[start...]
      let rows = picture.filter { $0.contains("│") }
      #expect(rows.count > 2)
      #expect(rows.allSatisfy { $0.count == 80 && $0.hasSuffix("│") })
      #expect(rows.first?.hasPrefix("      main │") == true)
      #expect(rows.last?.hasPrefix(" no thread │") == true)
      #expect(rows.allSatisfy { $0.contains { "▁▂▃▄▅▆▇█".contains($0) } })
      for chapter in 1...8 { #expect(picture.contains { $0.hasPrefix("\(chapter)  ") }) }
      #expect(
        flat(run).firstMatch(of: /\d+ threads did \d+\.\d+ s of work in \d+\.\d+ s, a speed-up of \d/) != nil)
    }

    @Test
    func `It prints while it runs, not only at its end`() throws {
      let run = try heldUp(#""$0" --path "$1" | { read -r line; : >go; printf '%s\n' "$line"; cat; }"#)
      #expect(run.output.hasPrefix("Taskig"))
      #expect(run.output.contains("\n8  "))
    }

    @Test
    func `Read by a program, it has no escape codes and no line wider than 80 columns`() throws {
      let run = try Self.usual.get()
      #expect(!run.output.contains("\u{1B}"))
      #expect(run.lines.filter { $0.count > 80 } == [])
    }

    @Test
    func `COLUMNS makes it narrower, and without UTF-8 it draws in ASCII`() throws {
      let folder = try SampleFolder()
      let run = try ChildRun.demo("--path", folder.path, environment: ["COLUMNS": "64", "LC_ALL": "C"])
      #expect(run.status == 0)
      #expect(run.lines.filter { $0.count > 64 } == [])
      #expect(run.lines.filter { $0.hasPrefix("      main |") }.map(\.count) == [64])
      #expect(run.output.utf8.max().map { $0 < 0x80 } == true)
    }

    @Test
    func `A check that fails is told with what was expected, and the tour goes on and exits with 1`() throws {
      let folder = try SampleFolder()
      // Where no temporary folder can be made, the first chapter cannot work.
      let nowhere = folder.url.appendingPathComponent("a.txt/nowhere").path
      let run = try ChildRun.demo("--path", folder.path, environment: ["TMPDIR": nowhere])
      #expect(run.status == 1)
      #expect(run.output.contains("   FAILED  the chapter: expected no error, got "))
      #expect(run.output.contains("\n8  "))
      #expect(run.output.firstMatch(of: /1 check of \d+ failed:/) != nil)
      #expect(run.output.contains("  Chapter 1, the chapter: expected no error, got "))
    }

    @Test
    func `It ends quietly when nobody reads its output any more`() throws {
      // A parent that ignores the signal hands that on; a shell then tells the status by the third stream.
      let run = try heldUp(
        #"trap '' PIPE; { "$0" --path "$1"; echo "status $?" >&2; } | { head -n 1; exec <&-; : >go; }"#)
      #expect(run.output.hasPrefix("Taskig"))
      #expect(run.lines.count == 2)
      #expect(run.errors == "status \(128 + SIGPIPE)\n")
    }

    /// Runs a script with the demo and a folder in a folder of its own. The tour's second chapter, which has shells sleep, goes on
    /// when there is a file `go`.
    private func heldUp(_ script: String) throws -> ChildRun {
      let (place, folder) = (try ScratchFolder(), try SampleFolder())
      // It ends with its folder too, so that nothing stays behind when a test fails.
      let sleep = #"while [ -e "$0" ] && ! [ -e "${0%/*}/go" ]; do /bin/sleep 0.02; done"#
      let words = #"printf '#!/bin/sh\n%s\n' "$2" >sleep; chmod +x sleep; PATH=$PWD:$PATH; "# + script
      return try ChildRun("/bin/sh", ["-c", words, Products.demo(), folder.path, sleep], in: place.url)
    }

    private func cells(of kind: String, in run: ChildRun) -> [String]? {
      run.lines.lazy.map { $0.split(separator: " ").map(String.init) }
        .first { $0.count == 5 && $0[0] == kind }.map { Array($0.dropFirst()) }
    }

    /// The output in one line, so that it does not matter where text was wrapped.
    private func flat(_ run: ChildRun) -> String {
      run.output.split { $0.isWhitespace }.joined(separator: " ")
    }
  }
}
