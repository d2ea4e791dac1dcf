import Foundation
import Testing

extension DemoTests {
  /// Mirrors of one file, and bars on a terminal.
  struct FetchRaceTests {
    @Test func `the first mirror that has all of it is kept, and the others are let go`() throws {
      let (begun, left) = (Gate(), Gate())
      let bench = try FetchBench([
        "/slow/it.txt": { exchange in
          try exchange.send(exchange.head(200, ["Content-Length: 1000"]))
          try exchange.send("half of")
          begun.open()
          exchange.waitForClient()
          left.open()
        },
        "/fast": { exchange in
          begun.pass()
          try exchange.respond(200, "all of it")
        },
        "/broken": FetchBench.cutOff,
      ])
      let run = try bench.fetch(["/slow/it.txt", "/missing", "/broken", "/fast"], "--first")
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(run.output.hasPrefix("\(bench.folder.path(of: "it.txt")): 9 B in "))
      #expect(run.output.hasSuffix(" from \(bench.url("/fast"))\n"))
      #expect(try bench.folder.names() == ["it.txt"])
      #expect(bench.folder.text(of: "it.txt") == "all of it")
      #expect(left.pass())
    }

    @Test func `when no mirror has it each says why`() throws {
      let bench = try FetchBench(["/broken": FetchBench.cutOff])
      let run = try bench.fetch(["/missing", "/broken"], "--first", "-r", "1")
      #expect(run.status == 1)
      let lines = run.errors.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.hasSuffix("/missing: There is nothing there (404). Check the URL.") == true)
      #expect(lines.last?.hasSuffix(", in 2 tries. Try again later.") == true)
      #expect(try bench.folder.names() == [])
    }

    @Test(
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "There is no script."))
    func `a terminal shows how much of a file is there`() throws {
      let (half, rest) = (Gate(), Gate())
      let text = String(repeating: "x", count: 100_000)
      let bench = try FetchBench(["/it": FetchBench.halved(text, half, rest)])
      let scratch = try ScratchFolder()
      let log = scratch.file("log")
      let words = try [Products.demo(), "fetch", "-o", bench.folder.path, bench.url("/it")]
      #if os(Linux)
        let arguments = ["-q", "-e", "-f", "-c", words.map { "'\($0)'" }.joined(separator: " "), log.path]
      #else
        let arguments = ["-q", "-F", log.path] + words
      #endif
      func drawn() -> String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }
      let run = try ChildRun("/usr/bin/script", arguments) { _ in
        defer { rest.open() }
        #expect(half.pass())
        // Half of the line that is left for the bar.
        #expect(eventually { drawn().contains(" 50%   50 kB") }, "\(drawn())")
      }
      #expect(run.status == 0)
      let line = drawn().components(separatedBy: .newlines).last { $0.contains(" 50%") } ?? ""
      #expect(line.count { $0 == "█" } > 5 && line.count <= 90)
      #expect(run.output.contains("it: 100 kB in "))
      #expect(run.output.contains("1 of 1 file, 100 kB in "))
      // The bars are gone in the end.
      #expect(run.output.contains("\u{1B}[J"))
      #expect(bench.folder.text(of: "it") == text)
    }
  }
}
