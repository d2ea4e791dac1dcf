import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Cancelling a task that is being awaited: from where, how, and what those who wait for it get.
struct CancellingWhatRunsTests {
  private static let queues: [DispatchQueue] = [.taskDefault, DispatchQueue(label: "own"), .utility]

  @Test func `a parked await ends at once, wherever and however its task is cancelled`() throws {
    try withDeadline {
      let ways: [@Sendable (ThrowableTask<Int>) -> Void] = [
        { $0.cancel() },
        {
          var copy = $0
          copy.isCancelled = true
        },
        { task in Thread.detachNewThread { task.cancel() } },
        { task in DispatchQueue.global().async { task.cancel() } },
        { task in DispatchQueue.main.async { task.cancel() } },
        { task in Task.async { task.cancel() } },
        { task in task.executionQueue.async { task.cancel() } },
        { task in DispatchQueue(label: "another").sync { task.cancel() } },
        { task in Task(executionQueue: task.executionQueue) { task.cancel() }.await() },
      ]
      for queue in Self.queues {
        for (number, cancel) in ways.enumerated() {
          let held = Held<Int>()
          let task = held.task(on: queue)
          let waiting = Aside { End(task.awaitResult()) }
          #expect(held.hasBegun())
          cancel(task)
          #expect(waiting.result() == .cancelled, "way \(number) on \(queue.label)")
          held.complete(.success(1))
        }
      }
    }
  }

  @Test func `an await ends at once while somebody else blocks the task's queue, and the action never runs`() throws {
    try withDeadline {
      let queue = DispatchQueue(label: "blocked")
      let hold = Gate()
      let isHeld = Gate()
      queue.async {
        isHeld.open()
        hold.pass()
      }
      #expect(isHeld.pass())
      let runs = Counter()
      let task = ThrowableTask<Int>(executionQueue: queue) { runs.increment() }
      let waiting = (0..<3).map { _ in Aside { End(task.awaitResult()) } }
      let inside = Aside { Task { End(task.awaitResult()) }.await() }
      task.cancel()
      #expect((waiting + [inside]).allSatisfy { $0.result() == .cancelled })
      hold.open()
      // What the queue still has of them has gone by when this is done.
      queue.sync {}
      #expect(runs.value == 0)
    }
  }

  @Test func `all who wait for a task or for copies of it are told`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let task = held.task(on: queue)
        let copies = [task, task, task.named("third"), task]
        let waiting = copies.map { copy in Aside { End(copy.awaitResult()) } }
        #expect(held.hasBegun(copies.count))
        task.cancel()
        for each in waiting { #expect(each.result() == .cancelled) }
        held.complete(.success(1))
      }
    }
  }

  @Test func `a body on another thread sees it, and its waiter does not wait for it`() throws {
    try withDeadline {
      let queue = DispatchQueue(label: "own")
      let (begun, goOn, ended) = (Gate(), Gate(), Gate())
      let seen = Steps<Bool>()
      let task = ThrowableTask(executionQueue: queue) {
        seen.note(Task.isCancelled)
        begun.open()
        goOn.pass()
        seen.note(Task.isCancelled)
        do { try Task.checkCancellation() } catch CancellableTaskError.taskWasCancelled { seen.note(true) }
        ended.open()
      }
      let waiting = Aside { (try? task.await()) == nil }
      #expect(begun.pass())
      task.cancel()
      #expect(waiting.result() == true)
      goOn.open()
      #expect(ended.pass())
      #expect(seen.all == [false, true, true])
    }
  }

  @Test func `a body in place sees it, and nothing outside of a task ever does`() throws {
    try withDeadline { () throws in
      let begun = Gate()
      let task = ThrowableTask { () throws -> Int in
        #expect(!Task.isCancelled)
        begun.open()
        #expect(eventually { Task.isCancelled })
        try Task.checkCancellation()
        return 1
      }
      let waiting = Aside { End(task.awaitResult()) }
      #expect(begun.pass())
      #expect(!Task.isCancelled)
      task.cancel()
      #expect(waiting.result() == .cancelled)
      #expect(!Task.isCancelled)
      #expect(throws: Never.self) { try Task.checkCancellation() }
    }
  }

  @Test func `a sleeping body wakes`() throws {
    try withDeadline {
      for queue in Self.queues {
        let begun = Gate()
        let woken = Gate()
        let task = ThrowableTask(executionQueue: queue) { () throws -> Int in
          begun.open()
          defer { woken.open() }
          try Task.sleep(for: .seconds(3_600))
          return 1
        }
        let waiting = Aside { End(task.awaitResult()) }
        #expect(begun.pass())
        task.cancel()
        #expect(waiting.result() == .cancelled)
        #expect(woken.pass())
      }
    }
  }

  @Test func `a sleep in a task that is cancelled already does not begin, and others end by themselves`() throws {
    try withDeadline {
      let begun = Gate()
      let goOn = Gate()
      let task = ThrowableTask { () throws -> Int in
        begun.open()
        goOn.pass()
        try Task.sleep(for: .zero)
        return 1
      }
      let waiting = Aside { End(task.awaitResult()) }
      #expect(begun.pass())
      task.cancel()
      goOn.open()
      #expect(waiting.result() == .cancelled)
      try Task.sleep(for: .milliseconds(1))
      try Task.sleep(for: .seconds(-1))
      let slept = try ThrowableTask { () throws -> Bool in
        try Task.sleep(for: .milliseconds(1))
        return true
      }.await()
      #expect(slept)
    }
  }

  @Test func `cancelling after the end changes nothing but what comes later`() throws {
    try withDeadline {
      let runs = Counter()
      var task = ThrowableTask<Int> { runs.increment() }
      let value = try task.await()
      task.cancel()
      #expect(value == 1 && End(task.awaitResult()) == .cancelled)
      task.isCancelled = false
      #expect(End(task.awaitResult()) == .value(2))
    }
  }

  @Test func `set back, it leaves cancelled what was, and later awaits run again`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let sees = Box(false)
        let (begun, goOn, ended) = (Gate(), Gate(), Gate())
        var task = ThrowableTask<Int>(executionQueue: queue) { completion in held.hold(completion) }
        let parked = Aside { [task] in End(task.awaitResult()) }
        #expect(held.hasBegun())
        task.cancel()
        task.isCancelled = false
        #expect(parked.result() == .cancelled)
        let again = Aside { [task] in End(task.awaitResult()) }
        #expect(held.hasBegun(2))
        held.complete(.success(5))
        #expect(again.result() == .value(5))

        var running = ThrowableTask(executionQueue: queue) {
          begun.open()
          goOn.pass()
          sees.value = Task.isCancelled
          ended.open()
        }
        let waiting = Aside { [running] in _ = running.awaitResult() }
        #expect(begun.pass())
        running.cancel()
        running.isCancelled = false
        goOn.open()
        #expect(ended.pass())
        #expect(sees.value)
        _ = waiting.result()
      }
    }
  }

  @Test func `the handler of async may cancel its own task, and hears of its end once`() throws {
    try withDeadline {
      for queue in Self.queues {
        for isCancelledFirst in [true, false] {
          let held = Held<Int>()
          let task = held.task(on: queue)
          let ends = Steps<End>()
          let heard = Gate()
          task.async {
            ends.note(End($0))
            task.cancel()
            ends.note(End(task.awaitResult()))
            heard.open()
          }
          #expect(held.hasBegun())
          if isCancelledFirst { task.cancel() } else { held.complete(.success(1)) }
          #expect(heard.pass())
          held.complete(.success(2))
          task.cancel()
          #expect(ends.all == [isCancelledFirst ? .cancelled : .value(1), .cancelled])
        }
      }
    }
  }

  @Test func `a delayed start is cancelled at once`() throws {
    try withDeadline {
      let runs = Counter()
      let task = ThrowableTask<Int> { runs.increment() }
      let ends = Steps<End>()
      task.async(delayBy: 3_600) { ends.note(End($0)) }
      task.async(delayBy: .infinity) { ends.note(End($0)) }
      task.cancel()
      #expect(eventually { !ends.all.isEmpty })
      // The one that never starts has no end either.
      #expect(ends.all == [.cancelled] && runs.value == 0)
    }
  }

  @Test func `what comes late is ignored`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let task = held.task(on: queue)
        let waiting = Aside { End(task.awaitResult()) }
        let ends = Steps<End>()
        task.async { ends.note(End($0)) }
        #expect(held.hasBegun(2))
        task.cancel()
        #expect(waiting.result() == .cancelled)
        held.complete(.success(7))
        held.drop()
        #expect(ends.all == [.cancelled])
      }
    }
  }
}
