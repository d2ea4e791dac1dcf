import Foundation
import Testing

extension DemoTests {
  /// Fetches that come to an end by themselves.
  struct FetchTests {
    @Test func `two hundred files come whole, whatever happens on the way`() throws {
      let asked = Steps<Int>()
      @Sendable func text(_ number: Int) -> String { String(repeating: "file \(number), ", count: number * 37 % 4_001) }
      let script: LoopbackServer.Script = { exchange in
        let number = Int(exchange.request.path.dropFirst(6)) ?? -1
        let (text, isFirst) = (text(number), !asked.all.contains(number))
        asked.note(number)
        switch number % 10 {
        case 3 where isFirst: try exchange.respond(503, "Not yet.", ["Retry-After: 0"])
        case 0 where isFirst:
          try exchange.send(exchange.head(200, ["Content-Length: \(text.utf8.count + 1)"]))
          try exchange.send(String(text.prefix(text.count / 2)))
          exchange.hangUp()
        case 5:
          try exchange.send(exchange.head(200, ["Transfer-Encoding: chunked"]))
          try exchange.sendChunk(text)
          try exchange.sendChunk("")
        case 7:
          try exchange.send(exchange.head(200, ["Content-Length: \(text.utf8.count)"]))
          for half in [text.prefix(text.count / 2), text.dropFirst(text.count / 2)] {
            // What is slow takes its time.
            Thread.sleep(forTimeInterval: 0.01)
            try exchange.send(String(half))
          }
        default: try exchange.respond(200, text)
        }
      }
      let routes = (0..<200).map { ("/file-\($0)", script) }
      let bench = try FetchBench(Dictionary(uniqueKeysWithValues: routes))
      let run = try bench.fetch((0..<200).map { "/file-\($0)" }, "-j", "8")
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(run.lines.count == 201)
      #expect(run.output.count(of: ", 2 tries\n") == 40)
      #expect(asked.all.count == 240)
      #expect(try bench.folder.names().count == 200)
      #expect((0..<200).filter { bench.folder.text(of: "file-\($0)") != text($0) } == [])
    }

    @Test func `as many are fetched at a time as are asked for`() throws {
      let (inFlight, meeting) = (Counter(), Meeting(of: 8))
      let paths = (0..<16).map { "/\($0)" }
      let script: LoopbackServer.Script = { exchange in
        inFlight.increment()
        _ = meeting.join()
        inFlight.decrement()
        try exchange.respond(200, "")
      }
      let bench = try FetchBench(Dictionary(uniqueKeysWithValues: paths.map { ($0, script) }))
      #expect(try bench.fetch(paths, "--jobs=8").status == 0)
      #expect(inFlight.peak == 8)
    }

    @Test func `what may pass is tried as often as is said, and nothing else is`() throws {
      var routes: [String: LoopbackServer.Script] = ["/cut": FetchBench.cutOff]
      routes["/cut-chunk"] = { exchange in
        try exchange.send(exchange.head(200, ["Transfer-Encoding: chunked"]))
        try exchange.sendChunk("not all of it")
        exchange.hangUp()
      }
      let statuses = [400, 401, 403, 404, 408, 410, 429, 500, 503, 599]
      for status in statuses { routes["/\(status)"] = { try $0.respond(status, "No.") } }
      routes["/429-now"] = { try $0.respond(429, "No.", ["Retry-After: 0"]) }
      routes["/429-long"] = { try $0.respond(429, "No.", ["Retry-After: 3600"]) }
      let bench = try FetchBench(routes)
      let run = try bench.fetch(routes.keys.sorted(), "-r", "3", "-j", "20")
      #expect(run.status == 1)
      #expect(run.output == "")
      #expect(run.errors.count(of: "\n") == routes.count)
      #expect(run.errors.count(of: ", in 4 tries. ") == 8)
      for path in routes.keys {
        let isPassing = ["/cut", "/cut-chunk", "/408", "/429", "/429-now", "/500", "/503", "/599"].contains(path)
        #expect(bench.requests(for: path) == (isPassing ? 4 : 1), "\(path)")
      }
      #expect(
        run.errors.contains("\(bench.url("/429-long")): The server cannot do it now (429). Try again in 3,600 s.\n"))
      #expect(run.errors.contains("/429-now: The server cannot do it now (429), in 4 tries. Try again later.\n"))
      #expect(run.errors.contains("\(bench.url("/404")): There is nothing there (404). Check the URL.\n"))
      #expect(run.errors.contains("\(bench.url("/cut")): The connection broke off: "))
      #expect(try bench.folder.names() == [])
    }

    #if os(Linux)
      @Test func `what leads out of the web, or to an IPv6 address, is told and not tried again`() throws {
        let bench = try FetchBench(["/it": { try $0.respond(302, "", ["Location: ftp://ada:secret@127.0.0.1:1/x"]) }])
        let run = try ChildRun.demo("fetch", "-o", bench.folder.path, bench.url("/it"), "http://[::1]:1/x")
        #expect(run.status == 1)
        #expect(bench.requests(for: "/it") == 1)
        let fault = "It cannot be fetched. “ftp://127.0.0.1:1/x” is a URL of ftp, and only http and https are fetched."
        let lines = run.errors.split(separator: "\n").sorted()
        #expect(
          lines.first
            == "taskig-demo: \(bench.url("/it")): \(fault) A redirection of “\(bench.url("/it"))” leads there.")
        #expect(lines.count == 2 && lines.last?.hasSuffix(" Write the host's name.") == true)
      }
    #endif

    @Test func `no retries means one try, and a server's wish for a pause is heeded`() throws {
      let times = Steps<ContinuousClock.Instant>()
      let bench = try FetchBench([
        "/once": FetchBench.cutOff, "/silent": { $0.hangUp() },
        "/busy": { exchange in
          times.note(.now)
          try times.all.count == 1
            ? exchange.respond(429, "", ["Retry-After: 1"]) : exchange.respond(200, "Now.")
        },
      ])
      #expect(try bench.fetch(["/once"], "-r", "0").status == 1)
      #expect(bench.requests(for: "/once") == 1)
      // Alone: on a connection that has served before, Foundation itself would ask once more.
      #expect(try bench.fetch(["/silent"]).status == 1)
      #expect(bench.requests(for: "/silent") == 3)
      let run = try bench.fetch(["/busy"], "--retries", "1")
      #expect(run.status == 0 && bench.folder.text(of: "busy") == "Now.")
      let all = times.all
      #expect(all.count == 2 && all[0].duration(to: all[all.count - 1]) >= .seconds(1))
    }

    @Test func `a try that takes too long, or in which nothing comes, is given up`() throws {
      let bench = try FetchBench(["/never": { $0.waitForClient() }])
      let late = try bench.fetch(["/never"], "-t", "0.2", "-r", "1")
      #expect(late.status == 1)
      #expect(
        late.errors == "taskig-demo: \(bench.url("/never")): It was not all there within 200 ms, in 2 tries. "
          + "Give it longer with --timeout.\n")
      let silent = try bench.fetch(["/never"], "--stall", "1", "-r", "0")
      #expect(silent.status == 1)
      #expect(silent.errors.contains("Nothing has come for 1 s. Try again later, or give it longer with --stall.\n"))
      #expect(try bench.folder.names() == [])
    }
  }
}

extension String {
  /// How often it has the other one in it.
  fileprivate func count(of text: String) -> Int { components(separatedBy: text).count - 1 }
}
