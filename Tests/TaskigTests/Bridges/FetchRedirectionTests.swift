import Foundation
import Testing

@testable import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Redirections of requests that end meanwhile, each in a process of its own: Foundation may stop that.
struct FetchRedirectionTests {
  /// A delegate that follows redirections when a gate opens, from a thread of its own.
  private final class Hesitant: NSObject, URLSessionTaskDelegate {
    let (asked, goOn, said) = (Gate(), Gate(), Gate())

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      asked.open()
      Thread.detachNewThread { [goOn, said] in
        goOn.pass()
        completionHandler(request)
        said.open()
      }
    }
  }

  private static func server() -> LoopbackServer {
    LoopbackServer([
      "/old": { try $0.respond(302, "It has moved.", ["Location: /"]) }, "/": { try $0.respond(200, "Hello") },
    ])
  }

  @Test func `a request may be called off while it is redirected`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let server = Self.server()
      var random = SeededRandom(Machine.seed)
      for _ in 0..<Machine.stress(300) {
        let task = URLSession.ofTests.fetch(server.url("/old"))
        let run = task.start()
        // So that it hits each moment of a request, which takes about as long.
        blocking { Thread.sleep(forTimeInterval: Double.random(in: 0...0.0015, using: &random)) }
        task.cancel()
        let end = blocking { End(run.map { _ in 1 }.awaitResult()) }
        if end != .value(1) && end != .cancelled { exit(1) }
      }
      let answer = blocking { try? Answer(URLSession.ofTests.fetch(server.url("/old")).await()) }
      if answer != Answer(200, "Hello") { exit(2) }
    }
  }

  @Test(arguments: [false, true])
  func `a delegate may say late where to go, and too late`(_ isTooLate: Bool) async {
    await #expect(processExitsWith: .success) { [isTooLate] in
      exitLate()
      // Long enough for the server to answer within it.
      let patience = Machine.patience(5)
      let server = Self.server()
      let delegate = Hesitant()
      let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
      var request = URLRequest(url: server.url("/old"))
      if !isTooLate { request.timeoutInterval = patience }
      let task = session.fetch(request)
      let run = task.start()
      guard delegate.asked.pass() else { exit(1) }
      if isTooLate {
        task.cancel()
      } else {
        // Longer than the server may be silent.
        blocking { Thread.sleep(forTimeInterval: patience + 0.5) }
      }
      delegate.goOn.open()
      guard delegate.said.pass() else { exit(2) }
      let end = blocking { End(run.map { Answer($0) == Answer(200, "Hello") ? 1 : 0 }.awaitResult()) }
      if end != (isTooLate ? .cancelled : .value(1)) { exit(3) }
      // What was said too late has been heard by the time that another request has been answered.
      let answer = blocking { try? Answer(session.fetch(server.url("/")).await()) }
      if answer != Answer(200, "Hello") { exit(4) }
    }
  }
}
