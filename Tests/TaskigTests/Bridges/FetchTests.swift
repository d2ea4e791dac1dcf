import Dispatch
import Foundation
import Testing

@testable import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server answers, as a test compares it.
struct Answer: Equatable {
  let status: Int
  let text: String

  init(_ status: Int, _ text: String) {
    self.status = status
    self.text = text
  }

  init(_ answer: (Data, HTTPURLResponse)) {
    self.init(answer.1.statusCode, String(decoding: answer.0, as: UTF8.self))
  }
}

/// Requests as tasks, and what they get when all goes well.
struct FetchTests {
  @Test func `a URL gives the body and the head of what is there`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/hello": { try $0.respond(200, "Hello", ["X-Mood: good"]) }])
      let (data, response) = try URLSession.ofTests.fetch(server.url("/hello")).await()
      #expect(String(decoding: data, as: UTF8.self) == "Hello")
      #expect(response.statusCode == 200 && response.value(forHTTPHeaderField: "X-Mood") == "good")
    }
  }

  @Test func `a scheme may be written in large letters`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.respond(200, "Hello") }])
      let url = try #require(URL(string: "HTTP" + server.url("/").absoluteString.dropFirst(4)))
      #expect(try Answer(URLSession.ofTests.fetch(url).await()) == Answer(200, "Hello"))
    }
  }

  @Test func `a request is sent with its method, its headers and its body`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer([
        "/echo": { exchange in
          let mood = exchange.request.head.contains("X-Mood: good")
          try exchange.respond(
            201, "\(exchange.request.method) \(mood) \(String(decoding: exchange.request.body, as: UTF8.self))")
        }
      ])
      var request = URLRequest(url: server.url("/echo"))
      request.httpMethod = "PUT"
      request.httpBody = Data("a letter".utf8)
      request.setValue("good", forHTTPHeaderField: "X-Mood")
      #expect(try Answer(URLSession.ofTests.fetch(request).await()) == Answer(201, "PUT true a letter"))
    }
  }

  @Test func `a status that is no success is an answer like another`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/broken": { try $0.respond(503, "Not today.") }])
      #expect(try Answer(URLSession.ofTests.fetch(server.url("/broken")).await()) == Answer(503, "Not today."))
    }
  }

  @Test func `making a task sends nothing, and each await sends the request anew`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.respond(200, "") }])
      let task = URLSession.ofTests.fetch(server.url("/"))
      _ = URLSession.ofTests.fetch(server.url("/")).map { $0.0 }
      #expect(server.requests.isEmpty)
      try task.await()
      try task.await()
      #expect(server.requests == ["GET /", "GET /"])
    }
  }

  @Test func `two awaits of one task send two requests, which are on their way at the same time`() throws {
    try withDeadline { () throws in
      let meeting = Meeting(of: 2)
      let server = LoopbackServer(["/": { try $0.respond(meeting.join() ? 200 : 500, "met") }])
      let task = URLSession.ofTests.fetch(server.url("/"))
      let answers = (0..<2).map { _ in Aside { try? Answer(task.await()) } }
      #expect(answers.map { $0.result() } == [Answer(200, "met"), Answer(200, "met")])
    }
  }

  @Test(arguments: ["large", "dripping", "chunked", "unmeasured", "empty"])
  func `a body comes whole, however it comes`(_ way: String) throws {
    try withDeadline { () throws in
      let large = String(repeating: "0123456789", count: 300_000)
      let server = LoopbackServer([
        "/large": { try $0.respond(200, large) },
        "/dripping": { exchange in
          try exchange.send(exchange.head(200, ["Content-Length: 26"]))
          for letter in "abcdefghijklmnopqrstuvwxyz" { try exchange.send(String(letter)) }
        },
        "/chunked": { exchange in
          try exchange.send(exchange.head(200, ["Transfer-Encoding: chunked"]))
          for word in ["one ", "two ", "three", ""] { try exchange.sendChunk(word) }
        },
        "/unmeasured": { exchange in
          try exchange.send(exchange.head(200, []))
          try exchange.send("as far as it goes")
          exchange.hangUp()
        },
        "/empty": { try $0.send($0.head(204)) },
      ])
      let texts = [
        "large": large, "dripping": "abcdefghijklmnopqrstuvwxyz", "chunked": "one two three",
        "unmeasured": "as far as it goes", "empty": "",
      ]
      let answer = try Answer(URLSession.ofTests.fetch(server.url("/" + way)).await())
      #expect(answer.status == (way == "empty" ? 204 : 200) && answer.text == texts[way])
    }
  }

  @Test func `the head alone is an answer, whatever length it tells`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.respond(200, "0123456789") }])
      var request = URLRequest(url: server.url("/"))
      request.httpMethod = "HEAD"
      let (data, response) = try URLSession.ofTests.fetch(request).await()
      #expect(data.isEmpty && response.expectedContentLength == 10)
    }
  }

  @Test func `redirections are followed`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer([
        "/old": { try $0.respond(302, "It has moved.", ["Location: /new"]) },
        "/new": { try $0.respond(200, "Here it is.") },
      ])
      let (data, response) = try URLSession.ofTests.fetch(server.url("/old")).await()
      #expect(String(decoding: data, as: UTF8.self) == "Here it is.")
      #expect(response.url == server.url("/new") && server.requests == ["GET /old", "GET /new"])
    }
  }

  #if canImport(FoundationNetworking)
    // Elsewhere the session itself tells of the answer, on that queue.
    @Test func `the main thread may wait for a session that calls back on the main queue`() async {
      await #expect(processExitsWith: .success) {
        exitLate()
        await MainActor.run {
          dispatchPrecondition(condition: .onQueue(.main))
          let server = LoopbackServer(["/": { try $0.respond(200, "Hello") }])
          let session = URLSession(configuration: .default, delegate: nil, delegateQueue: .main)
          let answer = blocking { try? Answer(session.fetch(server.url("/"), progress: { _ in }).await()) }
          if answer != Answer(200, "Hello") { exit(2) }
        }
      }
    }
  #endif

  @Test func `code that blocks all of Swift's own threads gets its answers`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let server = LoopbackServer(["/": { try $0.respond(200, "Hello") }])
      let all = Meeting(of: Machine.cores)
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<Machine.cores {
          group.addTask {
            blocking {
              guard all.join() else { return false }
              return (try? Answer(URLSession.ofTests.fetch(server.url("/")).await())) == Answer(200, "Hello")
            }
          }
        }
        for await isRight in group where !isRight { exit(1) }
      }
    }
  }

  @Test(arguments: [301, 302, 307, 308])
  func `a redirection that leads nowhere is an answer like another`(_ status: Int) throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.respond(status, "Where?") }])
      let (_, response) = try URLSession.ofTests.fetch(server.url("/")).await()
      #expect(response.statusCode == status)
    }
  }

  @Test(arguments: [("PUT", 302), ("POST", 307), ("POST", 308), ("POST", 303)])
  func `a body is not lost on the way to another place, unless the server says so`(_ method: String, _ status: Int)
    throws
  {
    try withDeadline { () throws in
      let server = LoopbackServer([
        "/": { try $0.respond(status, "", ["Location: /echo"]) },
        "/echo": { try $0.respond(200, $0.request.method + " " + String(decoding: $0.request.body, as: UTF8.self)) },
      ])
      var request = URLRequest(url: server.url("/"))
      request.httpMethod = method
      request.httpBody = Data("a letter".utf8)
      let answer = try Answer(URLSession.ofTests.fetch(request).await())
      #expect(answer == Answer(200, status == 303 ? "GET " : "\(method) a letter"))
    }
  }

  @Test func `a body that is a stream is sent once, and a second time is an error`() throws {
    try withDeadline { () throws in
      // Without a length, the stream comes in chunks, which this server does not put together.
      let server = LoopbackServer(["/": { try $0.respond(200, "Hello") }])
      let data = Data("a letter".utf8)
      let stream = InputStream(data: data)
      var request = URLRequest(url: server.url("/"))
      request.httpMethod = "POST"
      request.httpBodyStream = stream
      request.setValue("\(data.count)", forHTTPHeaderField: "Content-Length")
      let task = URLSession.ofTests.fetch(request)
      #expect(try Answer(task.await()) == Answer(200, "Hello"))
      let error = task.awaitResult().error as? URLError
      #expect(error?.code == .requestBodyStreamExhausted && error?.localizedDescription.contains("as data") == true)
      #expect(server.requests == ["POST /"])
    }
  }
}
