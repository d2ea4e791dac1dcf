import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Types of one's own that can be cancelled, and that can only be asked.
struct OwnCancellableTests {
  private static let queues: [DispatchQueue] = [.taskDefault, DispatchQueue(label: "own"), .utility]

  @Test func `a parked await of it ends soon`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let task = OwnTask(on: queue, held)
        let waiting = [Aside { End(task.awaitResult()) }, Aside { End(task.awaitResult(timeout: .seconds(3_600))) }]
        #expect(held.hasBegun(2))
        task.flag.set(true)
        #expect(waiting.map { $0.result() } == [.cancelled, .cancelled])
        held.drop()
      }
    }
  }

  @Test func `a body of it sees it, in place and on another thread`() throws {
    try withDeadline {
      for queue in Self.queues {
        let begun = Gate()
        let task = OwnTask(on: queue) {
          begun.open()
          #expect(eventually { Task.isCancelled })
          try Task.checkCancellation()
          return 1
        }
        let waiting = Aside { End(task.awaitResult()) }
        #expect(begun.pass())
        task.flag.set(true)
        #expect(waiting.result() == .cancelled)
      }
    }
  }

  @Test func `what a body of it awaits ends, and a sleep too`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let task = OwnTask(on: queue) { try Task(executionQueue: .utility) { held.task().awaitResult() }.await().get() }
        let waiting = Aside { End(task.awaitResult()) }
        #expect(held.hasBegun())
        task.flag.set(true)
        #expect(waiting.result() == .cancelled)
        held.drop()

        let begun = Gate()
        let sleeping = OwnTask(on: queue) {
          begun.open()
          try Task.sleep(for: .seconds(3_600))
          return 1
        }
        let other = Aside { End(sleeping.awaitResult()) }
        #expect(begun.pass())
        sleeping.flag.set(true)
        #expect(other.result() == .cancelled)
      }
    }
  }

  @Test func `handlers registered in it are called once`() throws {
    try withDeadline {
      let held = Held<Int>()
      let calls = Counter()
      let task = OwnTask {
        Task.onCancel { calls.increment() }
        return try held.task().await()
      }
      let waiting = Aside { End(task.awaitResult()) }
      #expect(held.hasBegun())
      task.flag.set(true)
      #expect(waiting.result() == .cancelled)
      #expect(calls.value == 1)
      held.drop()
    }
  }

  @Test func `set back, it runs again`() throws {
    try withDeadline {
      for queue in Self.queues {
        let runs = Counter()
        let task = OwnTask(on: queue) { runs.increment() }
        task.flag.set(true)
        #expect(End(task.awaitResult()) == .cancelled)
        #expect([task, task].awaitAllResults().map(End.init) == [.cancelled, .cancelled])
        task.flag.set(false)
        #expect(End(task.awaitResult()) == .value(1))
      }
    }
  }
}
