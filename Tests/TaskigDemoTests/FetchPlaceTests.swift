import Foundation
import Testing

extension DemoTests {
  /// What is in the folder while files are fetched, and after what ends that.
  struct FetchPlaceTests {
    private static let text = String(repeating: "all of it, ", count: 10_000)

    @Test(arguments: [false, true])
    func `half a file is never seen, and one that is there is replaced by all of the new one`(_ isThere: Bool) throws {
      let (half, rest) = (Gate(), Gate())
      let bench = try FetchBench(["/it": FetchBench.halved(Self.text, half, rest)])
      if isThere { try bench.folder.write("the old one", to: "it") }
      let run = try bench.fetch(["/it"]) { _ in
        defer { rest.open() }
        #expect(half.pass() && eventually { (try? bench.hasPart()) == true })
        #expect(bench.folder.text(of: "it") == (isThere ? "the old one" : nil))
      }
      #expect(run.status == 0)
      #expect(run.output.hasPrefix("\(bench.folder.path(of: "it")): 110 kB in "))
      #expect(try bench.folder.names() == ["it"])
      #expect(bench.folder.text(of: "it") == Self.text)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal calls it off, and leaves what was there`(_ signal: Int32, _ status: Int32) throws {
      let (half, rest) = (Gate(), Gate())
      let bench = try FetchBench([
        "/it": FetchBench.halved(Self.text, half, rest), "/waits": { $0.waitForClient() },
        "/fails": { try $0.respond(503, "", ["Retry-After: 100"]) },
      ])
      try bench.folder.write("the old one", to: "it")
      let run = try bench.fetch(["/it", "/waits", "/fails"]) { child in
        #expect(half.pass() && eventually { (try? bench.hasPart()) == true })
        kill(child, signal)
      }
      rest.open()
      #expect(run.status == status)
      #expect(run.output == "" && run.errors == "")
      #expect(try bench.folder.names() == ["it"])
      #expect(bench.folder.text(of: "it") == "the old one")
    }

    @Test func `a kill leaves nothing under the file's name`() throws {
      let (half, rest) = (Gate(), Gate())
      let bench = try FetchBench(["/it": FetchBench.halved(Self.text, half, rest)])
      let run = try bench.fetch(["/it"]) { child in
        #expect(half.pass() && eventually { (try? bench.hasPart()) == true })
        kill(child, SIGKILL)
      }
      rest.open()
      #expect(run.status == nil)
      #expect(try bench.names() == [])
      #expect(try bench.hasPart())
    }

    @Test func `when nobody reads the output any more it ends quietly, and leaves no part behind`() throws {
      let (half, rest) = (Gate(), Gate())
      defer { rest.open() }
      let closed = Gate()
      let bench = try FetchBench([
        "/held": FetchBench.halved(Self.text, half, rest),
        "/it": { exchange in
          closed.pass()
          try exchange.respond(200, Self.text)
        },
      ])
      let script = #"{ "$0" fetch -o "$1" "$2" "$3"; echo "status $?" >&2; } | { exec <&-; : >"$1/closed"; }"#
      let words = try ["-c", script, Products.demo(), bench.folder.path, bench.url("/held"), bench.url("/it")]
      let run = try ChildRun("/bin/sh", words) { _ in
        #expect(half.pass() && eventually { bench.folder.has("closed") })
        closed.open()
      }
      #expect(run.errors == "status 141\n")
      #expect(try bench.folder.names() == ["closed", "it"])
    }

    @Test func `what is printed to a stream that is closed does not get into a file`() throws {
      let bench = try FetchBench(["/it": { try $0.respond(200, Self.text) }])
      let script = #""$0" fetch -o "$1" "$2" >&-"#
      let run = try ChildRun("/bin/sh", ["-c", script, Products.demo(), bench.folder.path, bench.url("/it")])
      #expect(run.status == 74)
      #expect(bench.folder.text(of: "it") == Self.text)
    }

    @Test func `a folder is made, and what cannot be one is told`() throws {
      let bench = try FetchBench(["/it": { try $0.respond(200, Self.text) }])
      try bench.folder.write("", to: "file")
      func fetch(into name: String) throws -> ChildRun {
        try ChildRun.demo("fetch", "-o", bench.folder.path(of: name), bench.url("/it"))
      }
      #expect(try fetch(into: "deep/er").status == 0)
      #expect(bench.folder.text(of: "deep/er/it") == Self.text)
      for (name, problem) in [("file", "is a file, not a folder. "), ("file/in", "cannot be made: Not a directory. ")] {
        let run = try fetch(into: name)
        #expect(run.status == 1 && run.output == "")
        #expect(run.errors.contains(problem) && run.errors.hasSuffix("Name another one: taskig-demo fetch -o DIR\n"))
      }
      try FileManager.default.createDirectory(at: bench.folder.file("own/it"), withIntermediateDirectories: true)
      let run = try fetch(into: "own")
      #expect(run.status == 1)
      #expect(run.errors.hasSuffix(": What has the file's name is no ordinary file. Choose another folder with -o.\n"))
      #expect(bench.requests(for: "/it") == 1)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "There is no device that is always full."))
    func `what has the file's name and is none is left alone`() throws {
      let bench = try FetchBench(["/it": { try $0.respond(200, Self.text) }])
      try FileManager.default.createSymbolicLink(atPath: bench.folder.path(of: "it"), withDestinationPath: "/dev/full")
      let run = try bench.fetch(["/it"])
      #expect(run.status == 1)
      #expect(run.errors.hasSuffix(": What has the file's name is no ordinary file. Choose another folder with -o.\n"))
    }
  }
}
