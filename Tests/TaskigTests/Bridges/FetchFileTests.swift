import Foundation
import Testing

@testable import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests whose answers become files: all of it, or nothing.
struct FetchFileTests {
  @Test(arguments: [false, true])
  func `the body becomes a file, in the place of one that was there`(_ isThere: Bool) throws {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      let text = String(repeating: "0123456789", count: 100_000)
      let server = LoopbackServer(["/": { try $0.respond(200, text, ["X-Mood: good"]) }])
      if isThere { try Data("old".utf8).write(to: folder.file("page")) }
      let response = try URLSession.ofTests.fetch(server.url("/"), to: folder.file("page")).await()
      #expect(response.statusCode == 200 && response.value(forHTTPHeaderField: "X-Mood") == "good")
      #expect(folder.text(of: "page") == text)
      #expect(try folder.names() == ["page"])
    }
  }

  @Test func `an empty body becomes an empty file`() throws {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      let server = LoopbackServer(["/": { try $0.send($0.head(204)) }])
      try URLSession.ofTests.fetch(server.url("/"), to: folder.file("page")).await()
      #expect(folder.text(of: "page") == "")
    }
  }

  @Test func `a request with a body has its answer in a file too`() throws {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      let server = LoopbackServer([
        "/": { try $0.respond(200, $0.request.method + " " + String(decoding: $0.request.body, as: UTF8.self)) }
      ])
      var request = URLRequest(url: server.url("/"))
      request.httpMethod = "POST"
      request.httpBody = Data("a letter".utf8)
      try URLSession.ofTests.fetch(request, to: folder.file("page")).await()
      #expect(folder.text(of: "page") == "POST a letter")
    }
  }

  @Test func `a status that is no success is an error with the beginning of its body, and the file stays as it was`()
    throws
  {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      try Data("old".utf8).write(to: folder.file("page"))
      let server = LoopbackServer(["/": { try $0.respond(500, String(repeating: "no ", count: 100_000)) }])
      let result = URLSession.ofTests.fetch(server.url("/"), to: folder.file("page")).awaitResult()
      let error = try #require(result.error as? HTTPStatusError)
      #expect(error.status == 500 && error.body.count == 1 << 16 && error.body.starts(with: Data("no no ".utf8)))
      #expect(folder.text(of: "page") == "old")
      #expect(try folder.names() == ["page"])
    }
  }

  @Test(arguments: [false, true])
  func `as long as it comes there is the old file, and after a cancellation too`(_ isCutOff: Bool) throws {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      try Data("old".utf8).write(to: folder.file("page"))
      let (come, goOn) = (Gate(), Gate())
      let server = LoopbackServer([
        "/": { exchange in
          try exchange.send(exchange.head(200, ["Content-Length: 1000"]))
          try exchange.send("not all of it")
          come.open()
          if isCutOff { goOn.pass() } else { exchange.waitForClient() }
          exchange.hangUp()
        }
      ])
      let task = URLSession.ofTests.fetch(server.url("/"), to: folder.file("page"))
      let waiting = Aside { End(task.map { _ in 1 }.awaitResult()) }
      #expect(come.pass())
      #expect(folder.text(of: "page") == "old")
      if isCutOff { goOn.open() } else { task.cancel() }
      let end = try #require(waiting.result())
      #expect(isCutOff ? end != .value(1) : end == .cancelled)
      #expect(eventually { server.connections == 0 && (try? folder.names()) == ["page"] })
      #expect(folder.text(of: "page") == "old")
    }
  }

  @Test func `where no file can be is found before anything is sent`() throws {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      let server = LoopbackServer(["/": { try $0.respond(200, "Hello") }])
      let relative = try #require(URL(string: "file:missing/page"))
      for (place, words) in [
        (folder.file("missing/page"), "no folder"), (folder.url, "is a folder"), (relative, "/missing to put"),
      ] {
        let error = URLSession.ofTests.fetch(server.url("/"), to: place).awaitResult().error
        #expect(
          error is CocoaError && error?.localizedDescription.contains(words) == true, "\(String(describing: error))")
      }
      #expect(server.requests.isEmpty)
      #expect(try folder.names() == [])
    }
  }

  @Test func `a place that is no file URL traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent],
      performing: {
        guard let url = URL(string: "http://127.0.0.1/"), let place = URL(string: "page.html") else { exit(0) }
        _ = URLSession.ofTests.fetch(url, to: place)
        exit(0)
      })
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("no file URL") && message.contains("URL(fileURLWithPath:)"))
  }

  @Test func `many files at once are all there`() throws {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      let paths = (0..<30).map { "/\($0)" }
      let script: LoopbackServer.Script = { try $0.respond(200, $0.request.path) }
      let server = LoopbackServer(Dictionary(uniqueKeysWithValues: paths.map { ($0, script) }))
      let tasks = paths.map { URLSession.ofTests.fetch(server.url($0), to: folder.file(String($0.dropFirst()))) }
      try tasks.awaitAll(concurrency: 10)
      #expect(try folder.names().count == 30)
      #expect(paths.allSatisfy { folder.text(of: String($0.dropFirst())) == $0 })
    }
  }

  @Test func `a file that is replaced keeps its permissions, and a link leads to the new one`() throws {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      try folder.write("old", to: "page")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path(of: "page"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(of: "link"), withDestinationPath: folder.path(of: "page"))
      let modes = Steps<Int?>()
      let server = LoopbackServer(["/": { try $0.respond(200, "new") }])
      try URLSession.ofTests.fetch(server.url("/"), to: folder.file("link")) { _ in
        // While it comes, and is not there yet, too.
        let names = (try? folder.names()) ?? []
        for name in names where name.hasPrefix(".taskig-") {
          let facts = try? FileManager.default.attributesOfItem(atPath: folder.path(of: name))
          modes.note(facts?[.posixPermissions] as? Int)
        }
      }.await()
      #expect(!modes.all.isEmpty && modes.all.allSatisfy { $0 == 0o600 })
      #expect(folder.text(of: "page") == "new" && folder.text(of: "link") == "new")
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: "page"))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try folder.names() == ["link", "page"])
    }
  }

  @Test func `what is no ordinary file is left alone`() throws {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      try #require(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
      let server = LoopbackServer(["/": { try $0.respond(200, "new") }])
      let error = URLSession.ofTests.fetch(server.url("/"), to: folder.file("pipe")).awaitResult().error
      #expect((error as? CocoaError)?.code == .fileWriteFileExists)
      #expect(server.requests.isEmpty)
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: "pipe"))
      #expect(attributes[.type] as? FileAttributeType != .typeRegular)
    }
  }

  @Test func `a file that was begun is gone when the await that was called off ends`() throws {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      let server = LoopbackServer([
        "/": { exchange in
          try exchange.send(exchange.head(200, ["Content-Length: 1000"]))
          try exchange.send("not all of it")
          exchange.waitForClient()
        }
      ])
      for _ in 0..<5 {
        let begun = Gate()
        let task = URLSession.ofTests.fetch(server.url("/"), to: folder.file("page")) { _ in begun.open() }
        let waiting = Aside { () -> [String]? in
          _ = task.awaitResult()
          return try? folder.names()
        }
        #expect(begun.pass())
        #expect(try folder.names().count == 1)
        task.cancel()
        #expect(waiting.result() == .some([]))
      }
    }
  }

  @Test func `a cancellation that comes before the file is in its place leaves the old one there`() throws {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      try folder.write("old", to: "page")
      let server = LoopbackServer(["/": { try $0.respond(200, "new") }])
      let (come, goOn) = (Gate(), Gate())
      let task = URLSession.ofTests.fetch(server.url("/"), to: folder.file("page")) { progress in
        guard progress.fraction == 1 else { return }
        come.open()
        goOn.pass()
      }
      let waiting = Aside { End(task.map { _ in 1 }.awaitResult()) }
      #expect(come.pass())
      // All has come, and the closure is still being told: long enough for a file that does not wait for that.
      Thread.sleep(forTimeInterval: 0.1)
      #expect(folder.text(of: "page") == "old")
      task.cancel()
      #expect(waiting.result() == .cancelled)
      goOn.open()
      #expect(eventually { server.connections == 0 || (try? folder.names()) == ["page"] })
      #expect(folder.text(of: "page") == "old")
    }
  }
}
