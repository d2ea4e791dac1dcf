import Dispatch
import Foundation
import Testing

@testable import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What of the session that is named is kept to: its configuration, its cookies, its credentials, its delegate.
struct FetchSessionTests {
  /// A delegate that follows no redirection, and knows a password.
  private final class Delegate: NSObject, URLSessionTaskDelegate {
    let redirections = Counter()
    let challenges = Counter()

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      redirections.increment()
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let isFirst = challenges.increment() == 1
      completionHandler(
        isFirst ? .useCredential : .rejectProtectionSpace,
        isFirst ? URLCredential(user: "ada", password: "secret", persistence: .none) : nil)
    }
  }

  /// What the line of a request's head that begins with `name` says.
  private static func header(_ name: String, of exchange: Exchange) -> String? {
    let lines = exchange.request.head.components(separatedBy: "\r\n")
    return lines.first { $0.hasPrefix(name + ":") }.map {
      $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }
  }

  private static func echo(_ name: String) -> LoopbackServer.Script {
    { try $0.respond(200, header(name, of: $0) ?? "none") }
  }

  @Test func `headers of the configuration are sent`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": Self.echo("X-Mood")])
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpAdditionalHeaders = ["X-Mood": "good"]
      let session = URLSession(configuration: configuration)
      #expect(try Answer(session.fetch(server.url("/")).await()) == Answer(200, "good"))
      #expect(try Answer(URLSession.ofTests.fetch(server.url("/")).await()) == Answer(200, "none"))
    }
  }

  @Test func `cookies are kept by the session, and sent from then on, after a redirection too`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer([
        "/login": { try $0.respond(302, "", ["Location: /", "Set-Cookie: name=ada; Path=/"]) },
        "/": Self.echo("Cookie"),
      ])
      let session = URLSession(configuration: .ephemeral)
      #expect(try Answer(session.fetch(server.url("/")).await()) == Answer(200, "none"))
      #expect(try Answer(session.fetch(server.url("/login")).await()) == Answer(200, "name=ada"))
      #expect(try Answer(session.fetch(server.url("/")).await()) == Answer(200, "name=ada"))
      #expect(session.configuration.httpCookieStorage?.cookies?.map(\.name) == ["name"])
    }
  }

  #if canImport(FoundationNetworking)
    private static let places = ["", "127.0.0.1", "localhost"]
  #else
    // Another port of the same host is up to Foundation there.
    private static let places = ["", "localhost"]
  #endif

  @Test(arguments: places)
  func `a password follows a redirection on the same server, and to no other host or port`(_ host: String) throws {
    try withDeadline { () throws in
      let there = LoopbackServer(["/echo": Self.echo("Authorization")])
      let place = host.isEmpty ? "/echo" : "http://\(host):\(there.port)/echo"
      let server = LoopbackServer([
        "/": { try $0.respond(302, "", ["Location: \(place)"]) }, "/echo": Self.echo("Authorization"),
      ])
      var request = URLRequest(url: server.url("/"))
      request.setValue("Basic c2VjcmV0", forHTTPHeaderField: "Authorization")
      let answer = try Answer(URLSession.ofTests.fetch(request).await())
      #expect(answer == Answer(200, host.isEmpty ? "Basic c2VjcmV0" : "none"))
    }
  }

  @Test func `the session's delegate is asked whether to follow a redirection`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.respond(302, "It has moved.", ["Location: /new"]) }])
      let delegate = Delegate()
      let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
      #expect(try session.fetch(server.url("/")).await().1.statusCode == 302)
      #expect(delegate.redirections.value == 1 && server.requests == ["GET /"])
      session.finishTasksAndInvalidate()
    }
  }

  @Test(arguments: [true, false])
  func `the session's delegate is asked for a password, and a wrong one is a refusal`(_ isRight: Bool) throws {
    try withDeadline { () throws in
      let credential = "Basic " + Data("ada:secret".utf8).base64EncodedString()
      let server = LoopbackServer([
        "/": { exchange in
          if isRight, Self.header("Authorization", of: exchange) == credential {
            try exchange.respond(200, "Hello, Ada")
          } else {
            try exchange.respond(401, "Who are you?", [#"WWW-Authenticate: Basic realm="x""#])
          }
        }
      ])
      let delegate = Delegate()
      let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
      let answer = try Answer(session.fetch(server.url("/")).await())
      #expect(answer == (isRight ? Answer(200, "Hello, Ada") : Answer(401, "Who are you?")))
      #expect(delegate.challenges.value == (isRight ? 1 : 2))
      session.finishTasksAndInvalidate()
    }
  }

  @Test func `the time that a request may be idle is kept to`() throws {
    try withDeadline {
      let server = LoopbackServer(["/": { $0.waitForClient() }])
      var request = URLRequest(url: server.url("/"))
      request.timeoutInterval = 1
      let error = URLSession.ofTests.fetch(request).awaitResult().error as? URLError
      #expect(error?.code == .timedOut)
      #expect(eventually { server.connections == 0 })
    }
  }

  @Test func `a handler may wait for another request of the same session`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.respond(200, "Hello") }])
      let answers = Steps<Answer>()
      for _ in 0..<4 {
        URLSession.ofTests.fetch(server.url("/")).async { _ in
          if let answer = try? Answer(URLSession.ofTests.fetch(server.url("/")).await()) { answers.note(answer) }
        }
      }
      #expect(eventually { answers.all.count == 4 })
    }
  }

  @Test func `sessions come and go`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.respond(200, "Hello") }])
      for _ in 0..<20 {
        let session = URLSession(configuration: .ephemeral)
        #expect(try Answer(session.fetch(server.url("/")).await()) == Answer(200, "Hello"))
      }
      // The connections of the last one stay until another session is used.
      #expect(eventually { (try? URLSession.ofTests.fetch(server.url("/")).await()) != nil && server.connections <= 2 })
    }
  }
}
