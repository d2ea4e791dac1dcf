import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Awaiting one task, but no longer than so long.
struct DeadlineTests {
  private static let queues: [DispatchQueue] = [.taskDefault, DispatchQueue(label: "own"), .utility]
  /// Longer than any test takes.
  private static let long = Duration.seconds(3_600)
  private static let short = Duration.milliseconds(20)

  /// A plain task of a type of its own.
  private struct Plain: TaskType {
    let executionQueue: DispatchQueue
    let body: @Sendable () -> Int

    func action(completion: @escaping @Sendable (Int) -> Void) { completion(body()) }
  }

  private final class Token: Sendable {}

  @Test func `what is done in time is had`() throws {
    try withDeadline {
      for queue in Self.queues {
        let plain = Task(executionQueue: queue) { 1 }.await(timeout: Self.long)
        let throwing = try ThrowableTask(executionQueue: queue) { 2 }.await(timeout: Self.long)
        let own = Plain(executionQueue: queue) { 3 }.await(timeout: .seconds(Int64.max))
        let ownThrowing = End(OwnTask(on: queue) { 4 }.awaitResult(timeout: .seconds(Int64.max)))
        let callback = ThrowableTask<Int>(executionQueue: queue) { (completion: @escaping Held<Int>.Complete) in
          DispatchQueue.global().async { completion(.success(5)) }
        }
        #expect(plain == 1 && throwing == 2 && own == 3 && ownThrowing == .value(4))
        #expect(End(callback.awaitResult(timeout: Self.long)) == .value(5))
      }
    }
  }

  @Test func `errors pass through, and what is lost is lost`() throws {
    try withDeadline {
      for queue in Self.queues {
        let failing = ThrowableTask<Int>(executionQueue: queue) { throw Failed(number: 7) }
        #expect(throws: Failed(number: 7)) { try failing.await(timeout: Self.long) }
        #expect(End(failing.awaitResult(timeout: Self.long)) == .failed)
        let dropping = ThrowableTask<Int>(executionQueue: queue) { (_: @escaping Held<Int>.Complete) in }
        #expect(End(dropping.awaitResult(timeout: Self.long)) == .lost)
      }
    }
  }

  @Test func `a body that goes on regardless is not waited for`() throws {
    try withDeadline {
      for queue in [DispatchQueue.taskDefault, .utility] + [DispatchQueue(label: "a")] {
        let goOn = Gate()
        let ended = DispatchGroup()
        // On a busy machine the time may be up before a body has begun, and then it never does.
        let body: @Sendable () -> Int = {
          ended.enter()
          goOn.pass()
          ended.leave()
          return 1
        }
        let plain = Task(executionQueue: queue, action: body).await(timeout: Self.short)
        let throwing = End(ThrowableTask(executionQueue: .global()) { body() }.awaitResult(timeout: Self.short))
        let own = Plain(executionQueue: .global(), body: body).await(timeout: Self.short)
        let ownThrowing = End(OwnTask(on: .taskDefault, body).awaitResult(timeout: Self.short))
        #expect(plain == nil && throwing == .timedOut && own == nil && ownThrowing == .timedOut)
        goOn.open()
        #expect(ended.wait(timeout: .now() + Machine.patience(20)) == .success)
      }
    }
  }

  @Test func `what waits for a blocked queue until the time is up never runs`() throws {
    try withDeadline {
      let queue = DispatchQueue(label: "blocked")
      let hold = Gate()
      let runs = Counter()
      queue.async { hold.pass() }
      let plain = Task(executionQueue: queue) { runs.increment() }.await(timeout: Self.short)
      let throwing = End(
        ThrowableTask<Int>(executionQueue: queue) { runs.increment() }.awaitResult(timeout: Self.short))
      let inside = Task { Task(executionQueue: queue) { runs.increment() }.await(timeout: Self.short) }.await()
      #expect(plain == nil && throwing == .timedOut && inside == nil)
      hold.open()
      queue.sync {}
      #expect(runs.value == 0)
    }
  }

  @Test func `with no time nothing starts`() throws {
    try withDeadline {
      let runs = Counter()
      for queue in Self.queues {
        for timeout in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
          let plain = Task(executionQueue: queue) { runs.increment() }.await(timeout: timeout)
          #expect(plain == nil)
          let throwing = ThrowableTask<Int>(executionQueue: queue) { runs.increment() }
          #expect(throws: TaskigError.timedOut) { try throwing.await(timeout: timeout) }
          #expect(End(OwnTask(on: queue) { runs.increment() }.awaitResult(timeout: timeout)) == .timedOut)
        }
        queue.sync {}
      }
      #expect(runs.value == 0)
    }
  }

  @Test func `the run is cancelled when the time is up, and the task is not`() throws {
    try withDeadline {
      for queue in Self.queues {
        let steps = Steps<String>()
        let runs = Counter()
        let ended = Gate()
        let task = ThrowableTask(executionQueue: queue) { () throws -> Int in
          guard runs.increment() == 1 else { return 2 }
          Task.onCancel { steps.note("handler") }
          do { try Task.sleep(for: Self.long) } catch { steps.note("woken, \(Task.isCancelled)") }
          ended.open()
          return 1
        }
        #expect(End(task.awaitResult(timeout: .milliseconds(200))) == .timedOut)
        // If the machine was so busy that the action never began, there was nothing to be cancelled.
        guard runs.value == 1 else { continue }
        #expect(ended.pass())
        #expect(steps.all == ["handler", "woken, true"])
        #expect(!task.isCancelled)
        #expect(End(task.awaitResult(timeout: Self.long)) == .value(2))
        #expect(End(task.awaitResult()) == .value(2))
      }
    }
  }

  @Test func `a plain task's run sees it too, and what it awaits ends`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let steps = Steps<String>()
        let ended = Gate()
        let task = Task(executionQueue: queue) {
          let end = End(held.task().awaitResult())
          steps.note("\(end), \(Task.isCancelled)")
          ended.open()
        }
        // Long enough for the action to begin on a machine that is busy.
        let value: Void? = task.await(timeout: .milliseconds(500))
        #expect(value == nil)
        guard held.count == 1 else { continue }
        #expect(ended.pass())
        #expect(steps.all == ["cancelled, true"])
        held.drop()
      }
    }
  }

  @Test func `what completes too late is ignored`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let task = held.task(on: queue)
        #expect(End(task.awaitResult(timeout: .milliseconds(200))) == .timedOut)
        held.complete(.success(1))
        held.drop()
        let again = Aside { End(task.awaitResult(timeout: Self.long)) }
        // All that come to be held: on a busy machine the first run's action may come so far only now.
        let isDone = eventually {
          held.release(.success(2))
          return again.isDone
        }
        #expect(isDone && again.result() == .value(2))
      }
    }
  }

  @Test func `a shorter timeout inside ends first, a shorter one outside ends both`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let inner = ThrowableTask { End(held.task(on: queue).awaitResult(timeout: Self.short)) }
        let seen = try inner.await(timeout: Self.long)
        #expect(seen == .timedOut)

        let ends = Steps<End>()
        let begun = Counter()
        let outer = ThrowableTask { () -> Int in
          begun.increment()
          ends.note(End(held.task(on: queue).awaitResult(timeout: Self.long)))
          return 1
        }
        #expect(End(outer.awaitResult(timeout: .milliseconds(300))) == .timedOut)
        #expect(eventually { begun.value == 0 || ends.all == [.cancelled] })
        held.drop()
      }
    }
  }

  @Test func `cancelled before the time is up, it is cancelled`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let task = held.task(on: queue)
        let waiting = Aside { End(task.awaitResult(timeout: Self.long)) }
        #expect(held.hasBegun())
        task.cancel()
        #expect(waiting.result() == .cancelled)
        #expect(End(task.awaitResult(timeout: .zero)) == .cancelled)
        held.drop()
      }
    }
  }

  @Test func `on the queue of the calling thread, the action runs there and is waited for`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      let name = own.queue.sync { Task(executionQueue: own.queue) { own.nameHere() }.await(timeout: Self.long) }
      #expect(name == "own")
      let inside = Task(executionQueue: own.queue) {
        Task(executionQueue: own.queue) { own.nameHere() }.await(timeout: Self.long)
      }.await()
      #expect(inside == "own")
    }
  }

  @Test func `nothing is kept for the rest of the time`() throws {
    try withDeadline {
      for queue in Self.queues {
        weak var token: Token?
        do {
          let new = Token()
          token = new
          let task = ThrowableTask(executionQueue: queue) { withExtendedLifetime(new) { 1 } }
          let plain = Task(executionQueue: queue) { withExtendedLifetime(new) { 1 } }
          let value = try task.await(timeout: .seconds(60))
          let plainValue = plain.await(timeout: .seconds(60))
          let all = try [task, task].awaitAll(timeout: .seconds(60))
          let first = [plain, plain].awaitFirst(timeout: .seconds(60))
          #expect(value == 1 && plainValue == 1 && all == [1, 1] && first == 1)
        }
        #expect(eventually { token == nil })
      }
    }
  }

  @Test func `a process ends when its work is done and not when its timeouts would be up`() async {
    let start = ContinuousClock.now
    await #expect(processExitsWith: .exitCode(3)) {
      let value = blocking { Task { 1 }.await(timeout: .seconds(3_600)) }
      let all = blocking { [Task { 1 }, Task { 2 }].awaitAll(timeout: .seconds(3_600)) }
      exit(value == 1 && all == [1, 2] ? 3 : 4)
    }
    #expect(ContinuousClock.now - start < .seconds(600))
  }
}
