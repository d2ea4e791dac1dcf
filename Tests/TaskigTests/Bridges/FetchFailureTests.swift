import Foundation
import Testing

@testable import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Servers that do badly, and addresses that lead nowhere.
struct FetchFailureTests {
  private static let broken: [String: LoopbackServer.Script] = [
    "/cut": { exchange in
      try exchange.send(exchange.head(200, ["Content-Length: 1000"]))
      try exchange.send("not all of it")
      exchange.hangUp()
    },
    "/cut-chunk": { exchange in
      try exchange.send(exchange.head(200, ["Transfer-Encoding: chunked"]))
      try exchange.sendChunk("not all of it")
      exchange.hangUp()
    },
    "/silent": { $0.hangUp() },
    "/garbage": { exchange in
      try exchange.send("\u{1}\u{2} I am no server at all\r\n\r\n")
      exchange.hangUp()
    },
    "/circle": { try $0.respond(302, "", ["Location: /circle"]) },
  ]

  @Test(arguments: broken.keys.sorted())
  func `what is no whole answer is an error, in memory and into a file`(_ path: String) throws {
    try withDeadline { () throws in
      let server = LoopbackServer(Self.broken)
      let folder = try ScratchFolder()
      #expect(throws: URLError.self) { try URLSession.ofTests.fetch(server.url(path)).await() }
      #expect(throws: URLError.self) { try URLSession.ofTests.fetch(server.url(path), to: folder.file("it")).await() }
      #expect(try folder.names() == [])
    }
  }

  @Test func `a server that dies in the middle of its answer is an error`() throws {
    try withDeadline { () throws in
      let begun = Gate()
      let server = LoopbackServer([
        "/": { exchange in
          try exchange.send(exchange.head(200, ["Content-Length: 1000"]))
          begun.open()
          exchange.waitForClient()
        }
      ])
      let task = URLSession.ofTests.fetch(server.url("/"))
      let waiting = Aside { task.awaitResult().error is URLError }
      #expect(begun.pass())
      server.stop()
      #expect(waiting.result() == true)
    }
  }

  @Test func `where nobody listens is an error`() throws {
    try withDeadline { () throws in
      // As long as it is taken, no other test's server comes to listen there.
      let (socket, port) = Socket.bind()
      defer { Socket.close(socket) }
      let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
      #expect(throws: URLError.self) { try URLSession.ofTests.fetch(url).await() }
    }
  }

  @Test(arguments: [
    ("www.example.com", "has no scheme"), ("/etc/hosts", "has no scheme"),
    ("file:///etc/hosts", "Data(contentsOf:)"), ("ftp://127.0.0.1/x", "only http and https"),
    ("data:,hello", "only http and https"), ("mailto:ada@example.com", "only http and https"),
    ("http:///page", "has no host"), ("https:page", "has no host"), ("http://", "has no host"),
    ("ftp://ada:secret@127.0.0.1/x", "“ftp://127.0.0.1/x” is a URL of ftp"),
  ])
  func `an address that is none of the web is an error that says what to do`(_ text: String, _ words: String) throws {
    try withDeadline { () throws in
      let url = try #require(URL(string: text))
      for result in [
        URLSession.ofTests.fetch(url).map { _ in 0 }.awaitResult(),
        URLSession.ofTests.fetch(url, to: URL(fileURLWithPath: "/nowhere/at/all")).map { _ in 0 }.awaitResult(),
      ] {
        let error = result.error as? URLError
        #expect(error?.localizedDescription.contains(words) == true, "\(String(describing: error))")
      }
    }
  }

  #if canImport(FoundationNetworking)
    @Test(arguments: ["http://[::1]:1/x", "http://[fe80::1%25eth0]/"])
    func `an IPv6 address is an error that says what to do`(_ text: String) throws {
      let url = try #require(URL(string: text))
      let error = URLSession.ofTests.fetch(url).awaitResult().error as? URLError
      #expect(error?.code == .unsupportedURL)
      #expect(error?.localizedDescription.hasSuffix("Write the host's name.") == true)
    }

    @Test(arguments: [
      ("ftp://ada:secret@127.0.0.1:1/x", "“ftp://127.0.0.1:1/x” is a URL of ftp, "),
      ("gopher://127.0.0.1:1/x", "is a URL of gopher, "), ("http://[::1]:1/", "an IPv6 address"),
    ])
    func `a redirection that leads out of the web is an error, and not followed`(_ place: String, _ words: String)
      throws
    {
      try withDeadline { () throws in
        let server = LoopbackServer(["/": { try $0.respond(302, "", ["Location: \(place)"]) }])
        let error = URLSession.ofTests.fetch(server.url("/")).awaitResult().error as? URLError
        #expect(error?.code == .unsupportedURL)
        let text = error?.localizedDescription ?? ""
        #expect(
          text.contains(words) && text.hasSuffix(" A redirection of “\(server.url("/"))” leads there."), "\(text)")
      }
    }
  #endif

  @Test(arguments: [
    "http://%00/", "http://a b/", "http://127.0.0.1:99999/", "http://[::1]:1/", "http://[zz]/", "http://.../",
    "http://127.0.0.1:1/\u{e9}?\u{1f600}#x", "http://:80/", "http://user:secret@127.0.0.1:1/", "HTTP://127.0.0.1:1/",
    "http://127.0.0.1\\@127.0.0.2:1/",
  ])
  func `a strange URL is an error and no crash`(_ text: String) throws {
    // Some are none to Foundation either.
    guard let url = URL(string: text) else { return }
    try withDeadline {
      #expect(throws: URLError.self) { try URLSession.ofTests.fetch(url).await() }
    }
  }

  @Test func `requiring success makes an error status into an error that has all of the answer`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/broken": { try $0.respond(503, "Not today.", ["Retry-After: 7"]) }])
      let task = URLSession.ofTests.fetch(server.url("/broken")).requiringSuccess()
      let error = try #require(task.awaitResult().error as? HTTPStatusError)
      #expect(error.status == 503 && error.body == Data("Not today.".utf8))
      #expect(error.response.value(forHTTPHeaderField: "Retry-After") == "7")
      #expect("\(error)".contains("503") && "\(error)".contains("/broken") && "\(error)".contains("Not today."))
      #expect(error.localizedDescription == "\(error)")
    }
  }

  @Test(
    arguments: [
      ("0", 0...0), (" 7 ", 7...7), ("99999999999999999999", 3_155_760_000...3_155_760_000),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0...0), ("Fri, 01 Jan 2100 00:00:00 GMT", 86_400...3_155_760_000),
      ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil), ("\u{663}", nil), (nil, nil),
    ] as [(String?, ClosedRange<Double>?)])
  func `how long a server asks to wait is understood, as seconds or as a date`(
    _ text: String?, _ seconds: ClosedRange<Double>?
  ) throws {
    let url = try #require(URL(string: "http://127.0.0.1/"))
    let headers = text.map { ["retry-after": $0] }
    let response = try #require(HTTPURLResponse(url: url, statusCode: 503, httpVersion: nil, headerFields: headers))
    let wish = HTTPStatusError(response: response, body: Data()).retryAfter
    #expect(wish.map { seconds?.contains($0.seconds) } == seconds.map { _ in true }, "\(String(describing: wish))")
  }

  @Test(arguments: [200, 204, 299, 300, 304, 400, 404, 500, 599])
  func `success is what begins with a two`(_ status: Int) throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.send($0.head(status, ["Content-Length: 0"])) }])
      let result = URLSession.ofTests.fetch(server.url("/")).requiringSuccess().awaitResult()
      #expect((result.error as? HTTPStatusError)?.status == (status < 300 ? nil : status))
      #expect((try? result.get())?.1.statusCode == (status < 300 ? status : nil))
    }
  }

  @Test func `a body that is no text is not shown, and a long one not whole`() throws {
    let url = try #require(URL(string: "http://ada:secret@127.0.0.1/page"))
    let response = try #require(HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: nil))
    func text(_ body: Data) -> String { "\(HTTPStatusError(response: response, body: body))" }
    #expect(text(Data([0, 1, 2, 255])).hasSuffix("4 bytes that are no text"))
    #expect(text(Data()).hasSuffix("an empty body"))
    #expect(text(Data(String(repeating: "é", count: 5_000).utf8)).hasSuffix("é…"))
    #expect(text(Data(String(repeating: "é", count: 5_000).utf8)).count < 400)
    #expect(text(Data("a\r\n  b".utf8)).hasSuffix("a b"))
    #expect(!text(Data()).contains("secret") && text(Data()).contains("127.0.0.1/page"))
  }

  @Test func `a status that another attempt may mend is tried again`() throws {
    try withDeadline { () throws in
      let asked = Counter()
      let server = LoopbackServer([
        "/": { asked.increment() < 3 ? try $0.respond(503, "Not yet.") : try $0.respond(200, "Now.") }
      ])
      let task = URLSession.ofTests.fetch(server.url("/")).requiringSuccess().retry(attempts: 5)
      #expect(try Answer(task.await()) == Answer(200, "Now."))
      #expect(server.requests.count == 3)
    }
  }

  @Test func `the first mirror that has it is taken`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/there": { try $0.respond(200, "Here it is.") }, "/slow": { $0.waitForClient() }])
      let mirrors = ["/missing", "/slow", "/there"].map { URLSession.ofTests.fetch(server.url($0)).requiringSuccess() }
      #expect(try Answer(mirrors.awaitFirstSuccess()) == Answer(200, "Here it is."))
    }
  }

  @Test(arguments: [#"Basic realm="x""#, #"Basic realm="a", Digest realm="b", nonce="c""#, "Bearer", ""])
  func `a refusal that nobody can answer is an answer`(_ challenge: String) throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.respond(401, "Who are you?", ["WWW-Authenticate: \(challenge)"]) }])
      #expect(try Answer(URLSession.ofTests.fetch(server.url("/")).await()) == Answer(401, "Who are you?"))
    }
  }
}
