import Foundation
import Testing

extension DemoTests {
  /// What the README and the documentation show has been run, and is what the snippets say.
  struct SnippetTests {
    private static let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What each snippet prints; lines that come from other threads may stand anywhere.
    private static let prints: [String: Set<String>] = [
      "Adapting": ["35.0 8"],
      "AsyncCode": [
        "42 true", "page first", "page early", "page late", "2 failed", "square 1", "square 4", "square 9",
      ],
      "BothTasks": ["Taskig's task", "Swift's own task"],
      "Callbacks": ["3"],
      "Cancelling": ["cancelled before it started", "cancelled while it ran", "not done in time"],
      "CancellingAndDeadlines": [
        "counting was cancelled", "what there was", "the copy is removed", "not done in time", "nil", "slept 0.0",
        "slept 0.05", "timed out", "the second mirror", #"["a", "b"] are down"#,
        "one is down, the other is called off", "the third mirror is called off: true",
      ],
      "ChildProcesses": [
        "hello", #"["b", "a"]"#, "0", "exited with status 3 - it is broken - half", "There is no no-such-program",
        "heard one", "heard two", "heard 3 bytes", "not done in time, and ended", "it sleeps no more",
        #"["1", "2", "3", "4", "5", "6", "7", "8"]"#,
        "started true",
      ],
      "ComingFromOtherLibraries": ["page index no page 12", "to over there: page index"],
      "Deadlocks": [
        "Main thread: true", "through a queue: Main thread: true", "last: first", #"["an order", "an account"]"#,
        #"["an account", "an order"]"#, "handed on: Main thread: true", "in steps: first, Main thread: true",
        "archived: first", "100000", "[[1, 2, 3], [2, 4, 6], [3, 6, 9]]", "rows: 1", "cached: first",
      ],
      "Documented": ["Lift-off", "true"],
      "Futures": ["THE PAGE 8 THE PAGE", "42"],
      "Errors": [
        "thrown: NoZero()", "as a result: NoZero()", "[1.0, nan, 0.5]", "the first failure: NoZero()",
      ],
      "FuturesAndOperators": [
        "fetching cold", "page cold page cold", "fetching shared", "page shared page shared", "9 11",
        "done: page shared", "true a page that is there already", "an answer to this", "true false 1", "fetching lost",
        "fetching fallback",
        "done with lost", "13", "NotFound()", "fetching stored", "page stored is stored", "fetching first",
        "fetching second", "page first and page second", "true true", "true false", "fetching a", "fetching b",
        "fetching c", "page a, page b, page c", "fast", "fetching zipped", "page zipped 42", "[0, 2] are lost",
        "at last", "true", "fetching memo", "page memo page memo", "INDEX, LOADED", "fetching twice",
        #"("page twice", 10)"#, "fetching once", #"("page once", 9)"#, "never completed",
      ],
      "GettingStarted": ["from the background", "That file is not there.", "Hello 42 100 0.1"],
      "MainLoop": ["a callback on the main queue", "a task of the main queue"],
      "MainThread": ["true"],
      "Mistakes": [
        "handOnToDispatch hangs", "handOnWithoutCompletion hangs", "awaitTargetingQueue hangs",
        "waitForOneAnother hangs", "awaitUnderLock hangs", "never completed",
        "completed twice", "the first call counts", "nil and late", "no such row", "100", "mainAwaitsCallback hangs",
      ],
      "OnCancel": ["taskWasCancelled"],
      "Operators": ["the page at /", #"Ada 36 ada ["On the Analytical Engine"]"#],
      "Queues": [#"["first", "second"]"#, "[0, 1, 2]", #"later: ["first", "second"]"#],
      "RunLoops": [
        "the page true", "42", "true", "nil", "not done in time", "inner: the page", "outer: the page",
      ],
      "SwiftConcurrency": [
        "Hello, Ada, number 1", "2", "not done in time", "shown: a title", "cancelled inside: true",
        "request 7",
      ],
      "Script": ["words: true on the main thread: true", "the timer fires"],
      "ScriptEndings": ["It can end in many ways."],
      "SharedTasks": ["the words of index.html 4", "42", "the page at /"],
      "Signals": [
        "hello", "done", "reading the settings again", "called off by signal 15", "counted up to then: true",
      ],
      "Observing": ["rows succeeded", "export failed", "waited: true"],
      "Together": ["Ada 36", #"ada ["On the Analytical Engine"]"#],
      "Watching": [
        "no queue - Its action runs. Awaited by 0.",
        "database - Its action has not begun: it waits for its turn. Awaited by 1.", "2",
      ],
      "WebRequests": [
        "200 the page", "201", "404 nothing here", "now", #"["1", "2", "3", "4", "5", "6"]"#, "true",
        "all 8 bytes have come", "the page", "not done in time",
      ],
      "Sequential": ["On the main thread: 8 bytes", "On the main thread: 3 bytes", "3"],
    ]

    private static func snippets() throws -> [String: String] {
      let folder = root.appendingPathComponent("Snippets")
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      return try files.filter { $0.pathExtension == "swift" }.reduce(into: [:]) { snippets, file in
        snippets[file.deletingPathExtension().lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
      }
    }

    @Test func `every snippet runs and prints what it should`() throws {
      // Together, since most of the time they sleep.
      let runs = try Self.snippets().keys.sorted().map { name in
        (name, Aside { Result { try ChildRun(Products.program(name), []) } })
      }
      for (name, aside) in runs {
        // Longer than a run takes that is ended for want of an end.
        let run = try #require(aside.result(within: 120)).get()
        #expect(run.status == 0, "\(name): \(run.errors)")
        let lines = Set(run.lines.filter { !$0.isEmpty })
        if name == "Conforming" {
          #expect(lines.count == 2 && lines.contains("true true"), "\(lines)")
        } else {
          #expect(lines == Self.prints[name], "\(name)")
        }
      }
    }

    @Test func `the Swift code of every page and documentation comment stands in a snippet`() throws {
      let snippets = try Self.snippets().values.map { Set($0.components(separatedBy: "\n")) }
      let blocks = try Self.pages().flatMap(Self.blocks)
      #expect(blocks.count > 10)
      for block in blocks {
        let lines = block.components(separatedBy: "\n").filter { !$0.isEmpty }
        #expect(snippets.contains { $0.isSuperset(of: lines) }, "in no snippet:\n\(block)")
      }
    }

    /// The README, the articles, and the documentation comments of the sources.
    private static func pages() throws -> [String] {
      let sources = root.appendingPathComponent("Sources/Taskig")
      let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      let files = names.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }.map(sources.appendingPathComponent)
      return try (files + [root.appendingPathComponent("README.md")]).map { file in
        let text = try String(contentsOf: file, encoding: .utf8)
        guard file.pathExtension == "swift" else { return text }
        return text.components(separatedBy: "\n").map { line in
          let line = line.drop { $0 == " " }
          return line.hasPrefix("///") ? String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)) : ""
        }.joined(separator: "\n")
      }
    }

    private static func blocks(of page: String) -> [String] {
      page.components(separatedBy: "```swift\n").dropFirst().compactMap {
        $0.components(separatedBy: "```").first
      }
    }
  }
}
