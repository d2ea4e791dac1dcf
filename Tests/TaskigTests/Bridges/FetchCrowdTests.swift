import Foundation
import Testing

@testable import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Many requests, counted in a process of its own, where no other test starts threads or opens files.
struct FetchCrowdTests {
  @Test func `two hundred requests, twenty at a time, leave no threads and no open files behind`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let server = LoopbackServer(["/": { try $0.respond(200, "Hello") }])
      let fetch = { (count: Int) in
        let tasks = (0..<count).map { _ in URLSession.ofTests.fetch(server.url("/")) }
        let answers = blocking { (try? tasks.awaitAll(concurrency: 20)) ?? [] }
        guard answers.count == count, answers.allSatisfy({ Answer($0) == Answer(200, "Hello") }) else { exit(1) }
      }
      fetch(40)
      guard let (threads, files) = population() else { return }
      fetch(200)
      // Connections stay open for a while, and threads idle: some more than before may, though not one for each request.
      guard eventually({ population().map { $0.threads <= threads + 12 && $0.files <= files + 24 } ?? false }) else {
        exit(2)
      }
    }
  }

  @Test func `requests on their way hold no thread`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let server = LoopbackServer(["/": { try $0.respond(200, "Hello") }, "/never": { $0.waitForClient() }])
      let task = URLSession.ofTests.fetch(server.url("/"))
      blocking { _ = task.awaitResult() }
      guard let before = Machine.threads else { return }
      let tasks = (0..<200).map { _ in URLSession.ofTests.fetch(server.url("/never")) }
      for task in tasks { task.async() }
      guard eventually({ server.connections > 1 }) else { exit(1) }
      // The server itself has a thread for each connection that the session opens, which are a few.
      // And those that a busy machine has had brought to send the requests end after some seconds.
      guard Machine.comesDown(toThreads: before + 60) else { exit(2) }
      for task in tasks { task.cancel() }
      guard eventually({ server.connections <= 1 }) else { exit(3) }
    }
  }
}

/// How many threads this process has, and how many files it has open; `nil` where the system does not say.
private func population() -> (threads: Int, files: Int)? {
  guard let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count else { return nil }
  return Machine.threads.map { ($0, files) }
}
