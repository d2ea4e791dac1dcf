import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Moments in which two things meet that each are right alone; each of these has been got wrong once.
struct MeetingMoments {
  private typealias Complete = Held<Int>.Complete

  @Test func `every loser of a race is told that it has lost`() throws {
    try withDeadline(240) {
      let told = Counter()
      let rounds = Machine.stress(2_000)
      for _ in 0..<rounds {
        let registered = Gate()
        let loser = ThrowableTask<Int> { (completion: @escaping Complete) in
          Task.onCancel {
            told.increment()
            completion(.success(2))
          }
          registered.open()
        }
        let winner = ThrowableTask<Int> { (completion: @escaping Complete) in
          DispatchQueue.global().async {
            registered.pass()
            completion(.success(1))
          }
        }
        let first = try [winner, loser].awaitFirst()
        #expect(first == 1)
      }
      #expect(eventually { told.value == rounds }, "\(told.value)")
    }
  }

  @Test func `a loser on a queue sees that it has lost, and its nested await ends`() throws {
    try withDeadline(240) {
      let ended = Counter()
      let rounds = Machine.stress(500)
      for _ in 0..<rounds {
        let held = Held<Int>()
        let begun = Meeting(of: 2)
        let loser = ThrowableTask<Int>(executionQueue: .utility) {
          _ = begun.join()
          defer { ended.increment() }
          return try held.task().await()
        }
        let winner = ThrowableTask<Int>(executionQueue: .utility) { begun.join() ? 1 : 0 }
        let first = try [loser, winner].awaitFirst()
        #expect(first == 1)
      }
      #expect(eventually { ended.value == rounds }, "\(ended.value)")
    }
  }

  @Test func `a type of one's own is noticed by the handler of async`() throws {
    try withDeadline {
      let held = Held<Int>()
      let task = OwnTask(held)
      let heard = Gate()
      task.async { _ in heard.open() }
      #expect(held.hasBegun())
      task.flag.set(true)
      #expect(heard.pass())
      held.drop()
    }
  }

  @Test func `a type of one's own is noticed in a collection`() throws {
    try withDeadline {
      let held = Held<Int>()
      let tasks = [OwnTask(held), OwnTask(held)]
      let waiting = Aside { tasks.awaitAllResults().map(End.init) }
      #expect(held.hasBegun(2))
      for task in tasks { task.flag.set(true) }
      #expect(waiting.result() == [.cancelled, .cancelled])
      held.drop()
    }
  }

  @Test func `what has completed and is cancelled afterwards has its value`() throws {
    try withDeadline(240) {
      for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own")] {
        let slot = Locked<ThrowableTask<Int>?>(nil)
        let held = Held<Int>()
        let racers = Racers(
          {
            held.complete(.success(1))
            slot.withLock { $0 }?.cancel()
          }, {})
        var ends: [End: Int] = [:]
        for _ in 0..<Machine.stress(5_000) {
          let task = ThrowableTask<Int>(executionQueue: queue) { (completion: @escaping Complete) in
            held.hold(completion)
            racers.go()
          }
          slot.withLock { $0 = task }
          ends[End(task.awaitResult()), default: 0] += 1
          #expect(racers.haveEnded())
          held.drop()
        }
        racers.end()
        #expect(Array(ends.keys) == [.value(1)], "\(queue.label): \(ends)")
      }
    }
  }

  @Test func `a handler is forgotten once the action has called its completion`() throws {
    try withDeadline {
      let calls = Counter()
      let held = Held<Int>()
      let task = ThrowableTask<Int> { (completion: @escaping Complete) in
        Task.onCancel { calls.increment() }
        held.hold(completion)
      }
      let waiting = Aside { End(task.awaitResult()) }
      #expect(held.hasBegun())
      // Where it is parked by then; it is not told from here, so a moment is given.
      Thread.sleep(forTimeInterval: 0.05)
      held.complete(.success(1))
      task.cancel()
      #expect(waiting.result() == .value(1))
      #expect(calls.value == 0)
    }
  }

  @Test func `a handler is called, and before the waiter goes on, whenever the run is cancelled`() throws {
    try withDeadline(240) {
      let slot = Locked<ThrowableTask<Int>?>(nil)
      let held = Held<Int>()
      let handled = Counter()
      let racers = Racers({ slot.withLock { $0 }?.cancel() }, {})
      let rounds = Machine.stress(10_000)
      var early = 0
      for round in 1...rounds {
        let task = ThrowableTask<Int> { (completion: @escaping Complete) in
          Task.onCancel { handled.increment() }
          held.hold(completion)
          racers.go()
        }
        slot.withLock { $0 = task }
        #expect(End(task.awaitResult()) == .cancelled)
        if handled.value < round { early += 1 }
        #expect(racers.haveEnded())
        held.drop()
      }
      racers.end()
      #expect(handled.value == rounds && early == 0, "\(handled.value) of \(rounds), \(early)")
    }
  }

  @Test func `what runs is waited for after a failure, also if another is cancelled as it leaves its line`() throws {
    try withDeadline(240) {
      let holdSlot = Locked<Gate?>(nil)
      let slot = Locked<ThrowableTask<Int>?>(nil)
      let racers = Racers({ holdSlot.withLock { $0 }?.open() }, { slot.withLock { $0 }?.cancel() })
      let queue = DispatchQueue(label: "blocked")
      var early = 0
      for _ in 0..<Machine.stress(3_000) {
        let hold = Gate()
        holdSlot.withLock { $0 = hold }
        queue.async { hold.pass() }
        let inLine = ThrowableTask<Int>(executionQueue: queue) { 1 }
        slot.withLock { $0 = inLine }
        let running = Held<Int>()
        let isEnding = Flag()
        let slow = running.task()
        let failing = Held<Int>()
        let tasks = [inLine, slow, failing.task()]
        let waiting = Aside { () -> Bool in
          _ = try? tasks.awaitAll()
          return isEnding.isOn
        }
        #expect(running.hasBegun() && failing.hasBegun())
        failing.complete(.failure(Failed()))
        racers.go()
        #expect(racers.haveEnded())
        queue.sync {}
        isEnding.set(true)
        running.complete(.success(1))
        if waiting.result() != true { early += 1 }
      }
      racers.end()
      #expect(early == 0)
    }
  }
}
