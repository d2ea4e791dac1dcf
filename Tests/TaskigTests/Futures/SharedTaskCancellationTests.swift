import Dispatch
import Foundation
import Testing

@testable import Taskig

struct SharedTaskCancellationTests {
  private static let queues: [DispatchQueue] = [.taskDefault, DispatchQueue(label: "own"), .utility]
  private static let short = Duration.milliseconds(5)

  @Test func `an await whose time is up leaves it alone`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let shared = held.task(on: queue).start()
        #expect(held.hasBegun())
        #expect(End(shared.awaitResult(timeout: Self.short)) == .timedOut)
        #expect(throws: TaskigError.timedOut) { try [shared, shared].awaitAll(timeout: Self.short) }
        #expect(End(ThrowableTask { try shared.await() }.awaitResult(timeout: Self.short)) == .timedOut)
        #expect(End(ThrowableTask { try shared.await() }.timeout(Self.short).awaitResult()) == .timedOut)
        #expect(End(shared.timeout(Self.short).awaitResult()) == .timedOut)
        #expect(End(shared.state) == nil)
        let waiting = Aside { End(shared.awaitResult()) }
        held.complete(.success(1))
        #expect(waiting.result() == .value(1) && held.count == 1)
      }
    }
  }

  @Test func `an await whose own task is cancelled ends, and leaves it alone`() throws {
    try withDeadline {
      for use in SharedTaskUse.all {
        let source = TaskCompletionSource<Int>()
        let begun = Gate()
        let task = ThrowableTask {
          begun.open()
          // What `async` reports comes only with the outcome.
          return use.description == "async" ? End(source.task.awaitResult()) : use.end(source.task)
        }
        let waiting = Aside { try? task.await() }
        #expect(begun.pass())
        let other = Aside { End(source.task.awaitResult()) }
        task.cancel()
        #expect(waiting.result() == .cancelled, "\(use)")
        #expect(End(source.task.state) == nil, "\(use)")
        source.set(2)
        #expect(other.result() == .value(2))
      }
    }
  }

  @Test func `a collection that ends early leaves those alone that go on`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let shared = held.task(on: queue).start()
        #expect(held.hasBegun())
        let done = ThrowableTask { 1 }.start()
        let failed = ThrowableTask<Int> { throw Failed() }.start()
        #expect(throws: Failed()) { try [shared, failed].awaitAll() }
        #expect(throws: Failed()) { try [shared, failed].whenAll().await() }
        #expect(throws: Failed()) { try shared.zip(failed).await() }
        #expect(End([shared, failed].awaitFirstResult()) == .failed)
        #expect(End([shared, done].awaitFirstResult()) == .value(1))
        #expect(End([shared, done].whenAny().awaitResult()) == .value(1))
        #expect(End([shared, failed, done].whenAnySuccess().awaitResult()) == .value(1))
        let ofShared: SharedTask<[Int]> = [shared, failed].whenAll()
        #expect(throws: Failed()) { try ofShared.await() }
        #expect(End(shared.state) == nil)
        held.complete(.success(2))
        #expect(End(shared.awaitResult()) == .value(2))
      }
    }
  }

  @Test func `an async function that is cancelled while it waits leaves it alone`() async throws {
    let source = TaskCompletionSource<Int>()
    let waiting = _Concurrency.Task { try await source.task.value }
    let other = _Concurrency.Task { try await source.task.map { $0 + 1 }.value }
    waiting.cancel()
    let result = await waiting.result
    #expect(End(result) == .cancelled && End(source.task.state) == nil)
    source.set(1)
    let value = try await other.value
    #expect(value == 2)
  }

  @Test func `in a cancelled task an await of one that is pending ends at once`() throws {
    try withDeadline {
      let source = TaskCompletionSource<Int>()
      let (begun, goOn) = (Gate(), Gate())
      let ends = Steps<End>()
      let task = ThrowableTask {
        begun.open()
        goOn.pass()
        ends.note(End(source.task.awaitResult()))
        ends.note(End(source.task.awaitResult(timeout: .seconds(3_600))))
        ends.note(End(TaskResult { try [source.task].awaitAll()[0] }))
      }
      let waiting = Aside { _ = task.awaitResult() }
      #expect(begun.pass())
      task.cancel()
      goOn.open()
      #expect(waiting.result() != nil)
      #expect(eventually { ends.all.count == 3 } && Set(ends.all) == [.cancelled])
      source.set(1)
    }
  }

  @Test func `cancelling it ends it for all who wait`() throws {
    try withDeadline {
      for queue in Self.queues {
        for use in SharedTaskUse.all {
          let held = Held<Int>()
          let shared = held.task(on: queue).start()
          #expect(held.hasBegun())
          let waiting = (0..<2).map { _ in Aside { use.end(shared) } }
          shared.cancel()
          #expect(shared.isCompleted && shared.isCancelled && End(shared.state) == .cancelled)
          for each in waiting { #expect(each.result() == .cancelled, "\(use)") }
          held.complete(.success(1))
          #expect(End(shared.state) == .cancelled && use.end(shared) == .cancelled, "\(use)")
        }
      }
    }
  }

  @Test func `its action sees that it is cancelled, and so does what that awaits`() throws {
    try withDeadline {
      for queue in Self.queues {
        let inner = Held<Int>()
        let seen = Steps<Bool>()
        let shared = ThrowableTask(executionQueue: queue) {
          seen.note(Task.isCancelled)
          let end = End(inner.task().awaitResult())
          seen.note(end == .cancelled && Task.isCancelled)
        }.start()
        #expect(inner.hasBegun())
        shared.cancel()
        #expect(eventually { seen.all.count == 2 } && seen.all == [false, true])
        inner.drop()
      }
    }
  }

  @Test func `an action that is in the middle of something else is not waited for`() throws {
    try withDeadline {
      for queue in Self.queues {
        let (begun, goOn, ended) = (Gate(), Gate(), Gate())
        let shared = ThrowableTask(executionQueue: queue) { () -> Int in
          begun.open()
          goOn.pass()
          ended.open()
          return 1
        }.start()
        #expect(begun.pass())
        shared.cancel()
        #expect(End(shared.awaitResult()) == .cancelled)
        goOn.open()
        #expect(ended.pass())
        #expect(End(shared.awaitResult()) == .cancelled)
      }
    }
  }

  @Test func `handlers of its action run before those who wait go on`() throws {
    try withDeadline {
      for queue in Self.queues {
        for _ in 0..<Machine.stress(50) {
          let steps = Steps<String>()
          let held = Held<Int>()
          let shared = ThrowableTask<Int>(executionQueue: queue) { (completion: @escaping Held<Int>.Complete) in
            Task.onCancel { steps.note("handler") }
            Task.onCancel { steps.note("handler") }
            held.hold(completion)
          }.start()
          #expect(held.hasBegun())
          shared.async { _ in steps.note("receiver") }
          let waiting = (0..<2).map { _ in
            Aside {
              _ = shared.awaitResult()
              steps.note("waiter")
            }
          }
          shared.cancel()
          for each in waiting { #expect(each.result() != nil) }
          #expect(eventually { steps.all.count == 5 })
          #expect(steps.all.prefix(2) == ["handler", "handler"], "\(steps.all)")
          held.drop()
        }
      }
    }
  }

  @Test func `cancelling it when it is done changes nothing`() throws {
    try withDeadline {
      for queue in Self.queues {
        let handled = Counter()
        let shared = ThrowableTask<Int>(executionQueue: queue) {
          Task.onCancel { handled.increment() }
          return 1
        }.start()
        #expect(End(shared.awaitResult()) == .value(1))
        shared.cancel()
        #expect(End(shared.state) == .value(1) && !shared.isCancelled && End(shared.awaitResult()) == .value(1))
        let failing = ThrowableTask<Int>(executionQueue: queue) { throw Failed() }.start()
        #expect(End(failing.awaitResult()) == .failed)
        failing.cancel()
        #expect(End(failing.state) == .failed && !failing.isCancelled)
        #expect(handled.value == 0)
      }
    }
  }

  @Test func `one that is cancelled while it waits for its queue never runs`() throws {
    try withDeadline {
      let queue = DispatchQueue(label: "blocked")
      let hold = Gate()
      queue.async { hold.pass() }
      let runs = Counter()
      let shared = ThrowableTask<Int>(executionQueue: queue) { runs.increment() }.start()
      let plain = Task<Int>(executionQueue: queue) { runs.increment() }.start()
      shared.cancel()
      plain.cancel()
      #expect(End(shared.awaitResult()) == .cancelled && End(plain.awaitResult()) == .cancelled)
      hold.open()
      queue.sync {}
      #expect(runs.value == 0)
    }
  }

  @Test func `the task that it was started from calls it off, and so does nothing around it`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let task = held.task(on: queue)
        let shared = task.start()
        #expect(held.hasBegun())
        let (other, never) = (Held<Int>(), Held<Int>())
        let inner = Steps<SharedTask<Int>>()
        let outer = ThrowableTask { () throws -> Int in
          inner.note(other.task(on: queue).start())
          return try never.task().await()
        }
        let waiting = Aside { End(outer.awaitResult()) }
        #expect(other.hasBegun())
        outer.cancel()
        #expect(waiting.result() == .cancelled)
        #expect(End(inner.all[0].state) == nil)
        other.complete(.success(1))
        #expect(End(inner.all[0].awaitResult()) == .value(1))
        task.cancel()
        #expect(End(shared.awaitResult()) == .cancelled)
      }
    }
  }

  @Test func `what was made from it is cancelled with it, and it with that`() throws {
    try withDeadline {
      let held = Held<Int>()
      let shared = held.task().start()
      let (one, other) = (shared.map { $0 + 1 }, shared.map { $0 + 2 })
      let further = one.map { $0 }
      let beside = Aside { End(shared.awaitResult()) }
      further.cancel()
      for each in [further, one, other, shared] { #expect(End(each.awaitResult()) == .cancelled) }
      #expect(beside.result() == .cancelled)
    }
  }
}
