import Dispatch
import Foundation
import Testing

@testable import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests that are called off: what the server sees of it, and what the one who waited gets.
struct FetchCancellationTests {
  /// A server that answers nothing, or only the beginning, and notes when its client has come and gone.
  private final class Slow: Sendable {
    let come = Gate()
    let gone = Gate()
    let server: LoopbackServer

    init() {
      server = LoopbackServer([
        "/": { try $0.respond(200, "Hello") },
        "/never": { [come, gone] exchange in
          come.open()
          exchange.waitForClient()
          gone.open()
        },
        "/begun": { [come, gone] exchange in
          // Also if the client goes before it has been told anything.
          defer { gone.open() }
          try exchange.send(exchange.head(200, ["Content-Length: 1000"]))
          try exchange.send("not all of it")
          come.open()
          exchange.waitForClient()
        },
      ])
    }

    /// A task that is in the middle of its request when the server has come so far.
    func task(_ path: String) -> ThrowableTask<(Data, HTTPURLResponse)> { URLSession.ofTests.fetch(server.url(path)) }
  }

  /// Runs Swift's `async` code apart from its own pool.
  private final class OwnQueue: TaskExecutor {
    private let queue = DispatchQueue(label: "own")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// How a request comes to be called off.
  enum Way: CaseIterable {
    case cancel, timeout, operatorTimeout, faster, around, swiftTask

    /// Waits for `task` and calls it off when `come` opens; returns how the wait ended.
    func wait(for task: ThrowableTask<(Data, HTTPURLResponse)>, come: Gate) -> End? {
      let task = task.map { _ in 1 }
      switch self {
      case .cancel:
        let waiting = Aside { End(task.awaitResult()) }
        come.pass()
        task.cancel()
        return waiting.result()
      case .timeout:
        // Long enough for the request to reach the server, as a rule.
        return Aside { End(task.awaitResult(timeout: .milliseconds(200))) }.result()
      case .operatorTimeout:
        return Aside { End(task.timeout(.milliseconds(200)).awaitResult()) }.result()
      case .faster:
        let faster = ThrowableTask {
          come.pass()
          return 2
        }
        return Aside { End(TaskResult { try [task, faster].awaitFirst() }) }.result()
      case .around:
        let around = ThrowableTask { try task.await() }
        let waiting = Aside { End(around.awaitResult()) }
        come.pass()
        around.cancel()
        return waiting.result()
      case .swiftTask:
        let end = Aside { () -> End? in
          let end = Locked<End?>(nil)
          let ended = Gate()
          // Not in Swift's own pool, which tests that wait may fill.
          let waiting = _Concurrency.Task(executorPreference: OwnQueue()) {
            let result = await task.result
            end.withLock { $0 = End(result) }
            ended.open()
          }
          come.pass()
          waiting.cancel()
          ended.pass()
          return end.withLock { $0 }
        }
        return end.result() ?? nil
      }
    }

    var end: End {
      switch self {
      case .cancel, .around, .swiftTask: .cancelled
      case .timeout, .operatorTimeout: .timedOut
      case .faster: .value(2)
      }
    }
  }

  @Test(arguments: Way.allCases, ["/never", "/begun"])
  func `what calls a task off closes its connection, before the answer and in the middle of it`(
    _ way: Way, _ path: String
  ) throws {
    try withDeadline {
      let slow = Slow()
      #expect(way.wait(for: slow.task(path), come: slow.come) == way.end)
      // When the time was up before it came to the server, nobody has to go.
      #expect(slow.server.requests.isEmpty || slow.gone.pass())
      #expect(eventually { slow.server.connections == 0 })
    }
  }

  @Test func `a task that is cancelled before sends nothing`() throws {
    try withDeadline {
      let slow = Slow()
      let task = slow.task("/")
      task.cancel()
      #expect(throws: CancellableTaskError.taskWasCancelled) { try task.await() }
      #expect(slow.server.requests.isEmpty && slow.server.connections == 0)
    }
  }

  @Test func `a task that is cancelled after keeps its answer, and sends no more`() throws {
    try withDeadline { () throws in
      let slow = Slow()
      let task = slow.task("/")
      let answer = try task.await()
      task.cancel()
      #expect(Answer(answer) == Answer(200, "Hello"))
      #expect(throws: CancellableTaskError.taskWasCancelled) { try task.await() }
      #expect(slow.server.requests == ["GET /"])
    }
  }

  @Test func `cancelling one of two tasks for the same thing leaves the other alone`() throws {
    try withDeadline { () throws in
      let (come, goOn) = (Meeting(of: 3), Gate())
      let server = LoopbackServer([
        "/": { exchange in
          guard come.join() else { return }
          goOn.pass()
          try exchange.respond(200, "Hello")
        }
      ])
      let tasks = (0..<2).map { _ in URLSession.ofTests.fetch(server.url("/")) }
      let answers = tasks.map { task in Aside { (try? Answer(task.await())) } }
      #expect(come.join())
      tasks[0].cancel()
      #expect(answers[0].result() == .some(nil))
      goOn.open()
      #expect(answers[1].result() == Answer(200, "Hello"))
    }
  }

  @Test func `a request that is started and dropped goes on, and one that is made and dropped never begins`() throws {
    try withDeadline {
      let answers = Steps<Answer>()
      let slow = Slow()
      _ = slow.task("/")
      slow.task("/").async { result in
        if let answer = try? result.get() { answers.note(Answer(answer)) }
      }
      #expect(eventually { answers.all == [Answer(200, "Hello")] })
      #expect(slow.server.requests.count == 1)
    }
  }

  @Test func `cancelling while the answer comes, again and again, ends in one or the other`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.respond(200, "Hello") }])
      var random = SeededRandom(Machine.seed)
      for _ in 0..<Machine.stress(100) {
        let task = URLSession.ofTests.fetch(server.url("/"))
        let waiting = Aside { End(task.map { _ in 1 }.awaitResult()) }
        // So that it hits each moment of a request, which takes about as long.
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.002, using: &random))
        task.cancel()
        #expect([.value(1), .cancelled].contains(waiting.result()))
      }
      #expect(try Answer(URLSession.ofTests.fetch(server.url("/")).await()) == Answer(200, "Hello"))
    }
  }
}
