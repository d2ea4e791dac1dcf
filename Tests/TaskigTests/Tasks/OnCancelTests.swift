import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What `Task.onCancel` registers: when it is called, how often, and when it is forgotten.
struct OnCancelTests {
  private static let queues: [DispatchQueue] = [.taskDefault, DispatchQueue(label: "own"), .utility]

  private final class Token: Sendable {}

  @Test func `handlers are called once, in order, before the waiter is told`() throws {
    try withDeadline {
      for queue in Self.queues {
        let steps = Steps<Int>()
        let held = Held<Int>()
        let task = ThrowableTask<Int>(executionQueue: queue) { (completion: @escaping Held<Int>.Complete) in
          for step in 1...5 { Task.onCancel { steps.note(step) } }
          held.hold(completion)
        }
        let waiting = Aside { () -> [Int] in
          _ = task.awaitResult()
          return steps.all
        }
        #expect(held.hasBegun())
        task.cancel()
        task.cancel()
        #expect(waiting.result() == [1, 2, 3, 4, 5])
        held.complete(.success(1))
        #expect(steps.all == [1, 2, 3, 4, 5])
      }
    }
  }

  @Test func `they are before the handler of async`() throws {
    try withDeadline {
      let steps = Steps<Int>()
      let held = Held<Int>()
      let task = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        Task.onCancel { steps.note(1) }
        held.hold(completion)
      }
      task.async { _ in steps.note(2) }
      #expect(held.hasBegun())
      task.cancel()
      #expect(eventually { steps.all.count == 2 })
      held.complete(.success(1))
      #expect(steps.all == [1, 2])
    }
  }

  @Test func `a handler that comes after the cancellation is called at once, where it is registered`() throws {
    try withDeadline {
      for queue in Self.queues {
        let (begun, goOn, ended) = (Gate(), Gate(), Gate())
        let task = ThrowableTask(executionQueue: queue) {
          begun.open()
          goOn.pass()
          let calls = Counter()
          let here = Machine.thread
          Task.onCancel { if Machine.thread == here { calls.increment() } }
          #expect(calls.value == 1)
          ended.open()
        }
        let waiting = Aside { _ = task.awaitResult() }
        #expect(begun.pass())
        task.cancel()
        goOn.open()
        #expect(ended.pass())
        _ = waiting.result()
      }
    }
  }

  @Test func `a handler that ends the action is followed by its waiter`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let task = ThrowableTask<Int>(executionQueue: queue) { (completion: @escaping Held<Int>.Complete) in
          Task.onCancel { completion(.success(9)) }
          held.hold(completion)
        }
        let waiting = Aside { End(task.awaitResult()) }
        #expect(held.hasBegun())
        task.cancel()
        // Both are true: it has been cancelled, and it has its value.
        #expect([.value(9), .cancelled].contains(waiting.result()))
      }
    }
  }

  @Test func `a handler may cancel another task, and its own again`() throws {
    try withDeadline {
      let (first, second) = (Held<Int>(), Held<Int>())
      let other = second.task(on: DispatchQueue(label: "own"))
      let itself = Box<ThrowableTask<Int>?>(nil)
      let task = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        Task.onCancel {
          itself.value?.cancel()
          other.cancel()
        }
        first.hold(completion)
      }
      itself.value = task
      let waiting = [Aside { End(task.awaitResult()) }, Aside { End(other.awaitResult()) }]
      #expect(first.hasBegun() && second.hasBegun())
      task.cancel()
      #expect(waiting.map { $0.result() } == [.cancelled, .cancelled])
      first.drop()
      second.drop()
      itself.value = nil
    }
  }

  @Test func `a handler is not called after the await, and is let go of`() throws {
    try withDeadline {
      for queue in Self.queues {
        let calls = Counter()
        let weak = Locked<[WeakToken]>([])
        let task = ThrowableTask<Int>(executionQueue: queue) { (completion: @escaping Held<Int>.Complete) in
          let token = Token()
          weak.withLock { $0.append(WeakToken(token)) }
          Task.onCancel { withExtendedLifetime(token) { _ = calls.increment() } }
          DispatchQueue.global().async { completion(.success(1)) }
        }
        let value = try task.await()
        let values = try [task, task].awaitAll()
        let heard = Gate()
        task.async { _ in heard.open() }
        #expect(heard.pass())
        #expect(value == 1 && values == [1, 1])
        #expect(eventually { weak.withLock { $0.allSatisfy { $0.token == nil } } })
        task.cancel()
        #expect(calls.value == 0)
      }
    }
  }

  @Test func `a handler that has been called is let go of, also while the action runs on`() throws {
    try withDeadline {
      let held = Held<Int>()
      let weak = Locked<[WeakToken]>([])
      let task = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        let token = Token()
        weak.withLock { $0.append(WeakToken(token)) }
        Task.onCancel { withExtendedLifetime(token) {} }
        held.hold(completion)
      }
      let waiting = Aside { End(task.awaitResult()) }
      #expect(held.hasBegun())
      task.cancel()
      #expect(waiting.result() == .cancelled)
      #expect(eventually { weak.withLock { $0.allSatisfy { $0.token == nil } } })
      held.drop()
    }
  }

  @Test func `where nothing can cancel, handlers are let go of at once`() throws {
    try withDeadline {
      let weak: WeakToken
      do {
        let token = Token()
        weak = WeakToken(token)
        Task.onCancel { withExtendedLifetime(token) {} }
        Task { Task.onCancel { withExtendedLifetime(token) {} } }.await()
      }
      #expect(weak.token == nil)
    }
  }

  @Test func `a handler registered in a plain task inside is called with the task around it`() throws {
    try withDeadline {
      for queue in Self.queues {
        let calls = Counter()
        let (begun, goOn) = (Gate(), Gate())
        let task = ThrowableTask {
          Task(executionQueue: queue) {
            Task.onCancel {
              calls.increment()
              goOn.open()
            }
            begun.open()
            goOn.pass()
          }.await()
        }
        let waiting = Aside { _ = task.awaitResult() }
        #expect(begun.pass())
        task.cancel()
        #expect(waiting.result() != nil)
        #expect(calls.value == 1)
      }
    }
  }

  /// A token, if it is still alive.
  private struct WeakToken: @unchecked Sendable {
    // because it is read under a lock or by the thread that made it, and weak references count atomically.
    weak var token: Token?

    init(_ token: Token) { self.token = token }
  }
}
