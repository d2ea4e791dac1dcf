import Foundation
import Testing

extension DemoTests {
  /// Which URLs are fetched, and what the files are called.
  struct FetchListTests {
    @Test func `wrong URLs are told in a line each, and the others are fetched`() throws {
      let bench = try FetchBench(["/it": { try $0.respond(200, "it") }])
      let wrong = [
        ("example.com/x", "is no URL. "), ("", "is no URL. "), ("ftp://example.com/x", "is no URL of http or https, "),
        ("localhost:80/x", "is no URL of http or https, "), ("http:///x", "has no host. "),
      ]
      let run = try ChildRun(
        Products.demo(), ["fetch", "-o", bench.folder.path] + wrong.map(\.0) + [bench.url("/it")])
      #expect(run.status == 1)
      let lines = run.errors.split(separator: "\n")
      #expect(lines.count == wrong.count)
      for (line, (word, problem)) in zip(lines, wrong) {
        #expect(
          line.hasPrefix("taskig-demo: '\(word)' \(problem)") && line.contains(", as in https://example.com/file.txt."))
      }
      #expect(bench.folder.text(of: "it") == "it")
    }

    @Test func `neither a password in a wrong URL is shown, nor what a terminal obeys`() throws {
      let run = try ChildRun.demo("fetch", "ftp://ada:secret@h/\u{1B}]0;\u{202E}x", "ada:secret@h/x")
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix(#"taskig-demo: 'ftp://...@h/\u{1B}]0;\u{202E}x' is no URL of http or https"#))
      #expect(run.errors.contains("taskig-demo: '...@h/x' is no URL"))
    }

    @Test func `files have the names that URLs end with, each its own, and none outside of the folder`() throws {
      let names = [
        ("/a%20b.txt", "a b.txt"), ("/deep/er/c.tar.gz?version=2#top", "c.tar.gz"), ("/", "index.html"),
        ("/deep/", "index-2.html"), ("/x/..%2F..%2Fevil", ".._.._evil"), ("/%0Aline%1B", "_line_"), ("/%FF", "%FF"),
        ("/C.tar.gz", "C.tar-2.gz"), ("/%2E%2E", "index-3.html"),
        ("/x.%E2%80%AEgpj.exe", "x.gpj.exe"), ("/dot.", "dot."), ("/y/dot.", "dot-2."), ("/.rc", ".rc"),
        ("/y/.rc", ".rc-2"),
        ("/\(String(repeating: "n", count: 300)).txt", String(repeating: "n", count: 196) + ".txt"),
      ]
      let script: LoopbackServer.Script = { try $0.respond(200, $0.request.path) }
      let paths = names.map { String($0.0.prefix { $0 != "#" }) }
      let bench = try FetchBench(Dictionary(uniqueKeysWithValues: paths.map { ($0, script) }))
      let run = try bench.fetch(names.map(\.0))
      #expect(run.status == 0, "\(run.errors)")
      #expect(try bench.folder.names() == names.map(\.1).sorted())
      for (path, name) in zip(paths, names.map(\.1)) where name != "index-3.html" {
        #expect(bench.folder.text(of: name) == path)
      }
    }

    @Test func `a URL that is given twice is fetched once`() throws {
      let bench = try FetchBench(["/it": { try $0.respond(200, "it") }])
      #expect(try bench.fetch(["/it", "/it", "/it#end"]).lines.count == 2)
      #expect(bench.server.requests == ["GET /it"])
    }

    @Test func `URLs come from standard input, where a dash stands or none is given`() throws {
      let script: LoopbackServer.Script = { try $0.respond(200, $0.request.path) }
      let bench = try FetchBench(["/a": script, "/b": script, "/c": script])
      let run = try bench.fetch([], input: "\u{FEFF}\(bench.url("/a"))\n\n  \(bench.url("/b"))\r\nno-url")
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix("taskig-demo: 'no-url' is no URL. "))
      #expect(try bench.folder.names() == ["a", "b"])
      #expect(try bench.fetch(["/c"], "-", input: bench.url("/a")).lines.count == 3)
      #expect(try bench.fetch([], input: "").status == 0)
    }

    @Test(arguments: [
      ([], "There is no URL. Name one, or put a list on standard input."),
      (["-j", "0", "http://127.0.0.1/"], "'--jobs' is '0'. Make it a whole number from 1 to 1000, as in '-j 6'."),
      (
        ["-t", "soon", "http://127.0.0.1/"],
        "'--timeout' is 'soon'. Make it a number of seconds above zero, as in '-t 60'."
      ),
    ])
    func `a wrong command line is told, and nothing is fetched`(_ words: [String], _ message: String) throws {
      let run = try ChildRun(Products.demo(), ["fetch"] + words)
      #expect(run.status == 64)
      #expect(run.errors.hasPrefix("taskig-demo: \(message)\nUsage: taskig-demo fetch "))
    }

    @Test func `requests ask for the file as it lies there`() throws {
      let heads = Steps<String>()
      let bench = try FetchBench([
        "/it": { exchange in
          heads.note(exchange.request.head)
          try exchange.respond(200, "it")
        }
      ])
      #expect(try bench.fetch(["/it"]).status == 0)
      #expect(
        heads.all.count { $0.contains("Accept-Encoding: identity") && $0.contains("User-Agent: taskig-demo/") } == 1)
    }

    @Test func `a password is not shown`() throws {
      let bench = try FetchBench([:])
      let url = bench.url("/it").replacing("://", with: "://ada:secret@")
      let run = try ChildRun.demo("fetch", "-o", bench.folder.path, url)
      #expect(run.status == 1)
      #expect(run.errors == "taskig-demo: \(bench.url("/it")): There is nothing there (404). Check the URL.\n")
    }
  }
}
