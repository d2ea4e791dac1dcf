import Dispatch
import Foundation
import Testing

@testable import Taskig

struct LendingTests {
  private let first = NamedQueue("first")
  private let second = NamedQueue("second")

  @Test func `a queue's holder runs there what it waits for, through another queue`() throws {
    let (first, second) = (first, second)
    try withDeadline {
      let task = Task(executionQueue: first.queue) {
        Task(executionQueue: second.queue) {
          Task(executionQueue: first.queue) { first.nameHere() }.await()
        }.await()
      }
      #expect(task.await() == "first")
    }
  }

  @Test func `so does a block of the user's that Taskig has not started`() throws {
    let (first, second) = (first, second)
    try withDeadline {
      let name = first.queue.sync {
        Task(executionQueue: second.queue) {
          Task(executionQueue: first.queue) { first.nameHere() }.await()
        }.await()
      }
      #expect(name == "first")
    }
  }

  @Test func `a hundred queues may lie in between`() throws {
    let first = first
    try withDeadline {
      @Sendable func descend(_ level: Int) -> String? {
        guard level > 0 else { return Task(executionQueue: first.queue) { first.nameHere() }.await() }
        return Task(executionQueue: DispatchQueue(label: "level \(level)")) { descend(level - 1) }.await()
      }
      #expect(Task(executionQueue: first.queue) { descend(100) }.await() == "first")
    }
  }

  @Test func `several children that want the queue at once get it one at a time`() throws {
    let first = first
    try withDeadline {
      let running = Counter()
      let outer = Task(executionQueue: first.queue) {
        let children = (0..<50).map { i in
          Task(executionQueue: i % 2 == 0 ? .taskDefault : .utility) {
            Task(executionQueue: first.queue) {
              running.increment()
              defer { running.decrement() }
              return first.nameHere()
            }.await()
          }
        }
        return children.awaitAll()
      }
      #expect(Set(outer.await()) == ["first"])
      #expect(running.peak == 1)
    }
  }

  @Test func `the first of several is found while a queue is held`() throws {
    let first = first
    try withDeadline {
      let outer = Task(executionQueue: first.queue) {
        (0..<3).map { _ in Task(executionQueue: first.queue) { first.nameHere() } }.awaitFirst()
      }
      #expect(outer.await() == "first")
    }
  }

  @Test func `a holder that runs one task of a collection is lent to the others meanwhile`() throws {
    let (first, second) = (first, second)
    try withDeadline {
      let outer = Task(executionQueue: first.queue) {
        // Each holds `second` while it wants `first`, which the thread that runs one of them holds.
        let tasks = (0..<3).map { i in
          Task { () -> String? in
            // So that the others are under way before the first comes to its await.
            if i == 0 { Thread.sleep(forTimeInterval: 0.02) }
            return Task(executionQueue: second.queue) {
              Task(executionQueue: first.queue) { first.nameHere() }.await()
            }.await()
          }
        }
        return tasks.awaitAll()
      }
      #expect(outer.await() == ["first", "first", "first"])
    }
  }

  @Test func `a called-back holder that is busy for another task does not hold up the rest`() throws {
    let (first, second) = (first, second)
    try withDeadline {
      let hold = Gate()
      let outer = Task(executionQueue: first.queue) {
        let tasks = [
          Task(executionQueue: second.queue) {
            Task(executionQueue: first.queue) { hold.pass() ? 0 : -1 }.await()
          },
          Task<Int> { completion in
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { completion(1) }
          },
          Task { () -> Int in
            hold.open()
            return 2
          },
        ]
        return tasks.awaitAll(concurrency: 2)
      }
      #expect(outer.await() == [0, 1, 2])
    }
  }

  @Test func `a waiting thread never runs work that it does not wait for`() throws {
    let first = first
    try withDeadline {
      let steps = Steps<String>()
      let release = Gate()
      let task = Task(executionQueue: first.queue) {
        // Foreign work for the queue that this thread holds while it waits.
        Task.async(executionQueue: first.queue) { steps.note("foreign") }
        Task<Void> { completion in
          Thread.detachNewThread { @Sendable in
            release.pass()
            completion(())
          }
        }.await()
        steps.note("held")
      }
      let ended = Gate()
      task.async { ended.open() }
      // Long enough for a waiter that wrongly helps to do so.
      Thread.sleep(forTimeInterval: 0.02)
      release.open()
      #expect(ended.pass())
      first.queue.sync {}
      #expect(steps.all == ["held", "foreign"])
    }
  }

  @Test func `a wait that is over hands on as long as its thread is busy with what it was lent to`() throws {
    let (first, second) = (first, second)
    try withDeadline {
      let name = Task<String?>(executionQueue: first.queue) {
        Task<String?>(executionQueue: second.queue) {
          let name = Box<String?>(nil)
          let hasBegun = Flag()
          // On a busy machine the time may be up before the thread comes to it, and then it never begins: once more.
          while !hasBegun.isOn {
            // Only this thread can run it, and comes back later than it has time for.
            Task(executionQueue: second.queue) {
              hasBegun.set(true)
              // Until the time is up.
              while !Task.isCancelled { Thread.sleep(forTimeInterval: 0.001) }
              name.value = Task(executionQueue: first.queue) { first.nameHere() }.await()
            }.await(timeout: .milliseconds(20))
          }
          return name.value
        }.await()
      }.await()
      #expect(name == "first")
    }
  }
}
