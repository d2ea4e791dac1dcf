import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What may happen to a run at the same moment, from a common start line, very often.
struct CancellationStress {
  private typealias Complete = Held<Int>.Complete

  private static let rounds = Machine.stress(12_500)

  /// Awaits a run whose action hands its completion over and starts `racers`, round after round, and counts how it ends.
  private func ends(
    of racers: Racers, _ slot: Locked<ThrowableTask<Int>?>, _ held: Held<Int>,
    handled: Counter? = nil, _ awaiting: @Sendable (ThrowableTask<Int>) -> End
  ) -> [End: Int] {
    var counts: [End: Int] = [:]
    for _ in 0..<Self.rounds {
      let task = ThrowableTask<Int> { (completion: @escaping Complete) in
        if let handled { Task.onCancel { handled.increment() } }
        held.hold(completion)
        racers.go()
      }
      slot.withLock { $0 = task }
      counts[awaiting(task), default: 0] += 1
      if !racers.haveEnded() { counts[.unexpected("racers did not end"), default: 0] += 1 }
      held.drop()
    }
    racers.end()
    return counts
  }

  private func expect(_ counts: [End: Int], only allowed: End..., location: SourceLocation = #_sourceLocation) {
    #expect(Set(counts.keys).isSubset(of: Set(allowed)), "\(counts)", sourceLocation: location)
    #expect(counts.values.reduce(0, +) == Self.rounds, "\(counts)", sourceLocation: location)
  }

  @Test func `cancelled and completed`() throws {
    try withDeadline(240) {
      let slot = Locked<ThrowableTask<Int>?>(nil)
      let held = Held<Int>()
      let racers = Racers({ held.complete(.success(1)) }, { slot.withLock { $0 }?.cancel() })
      expect(ends(of: racers, slot, held) { End($0.awaitResult()) }, only: .value(1), .cancelled)
    }
  }

  @Test func `cancelled and failed, with a timeout that is not up`() throws {
    try withDeadline(240) {
      let slot = Locked<ThrowableTask<Int>?>(nil)
      let held = Held<Int>()
      let racers = Racers({ held.complete(.failure(Failed())) }, { slot.withLock { $0 }?.cancel() })
      expect(ends(of: racers, slot, held) { End($0.awaitResult(timeout: .seconds(60))) }, only: .failed, .cancelled)
    }
  }

  @Test func `cancelled and dropped`() throws {
    try withDeadline(240) {
      let slot = Locked<ThrowableTask<Int>?>(nil)
      let held = Held<Int>()
      let racers = Racers({ held.drop() }, { slot.withLock { $0 }?.cancel() })
      expect(ends(of: racers, slot, held) { End($0.awaitResult()) }, only: .lost, .cancelled)
    }
  }

  @Test func `cancelled, and cancelled and set back`() throws {
    try withDeadline(240) {
      let slot = Locked<ThrowableTask<Int>?>(nil)
      let held = Held<Int>()
      let handled = Counter()
      let racers = Racers(
        { slot.withLock { $0 }?.cancel() },
        {
          guard var task = slot.withLock({ $0 }) else { return }
          task.isCancelled = true
          task.isCancelled = false
        })
      expect(ends(of: racers, slot, held, handled: handled) { End($0.awaitResult()) }, only: .cancelled)
      #expect(handled.value == Self.rounds)
    }
  }

  @Test func `completed, and let go of by another`() throws {
    try withDeadline(240) {
      let (held, second) = (Held<Int>(), Held<Int>())
      let racers = Racers(
        {
          held.complete(.success(1))
          held.drop()
        }, { second.drop() })
      var ends: [End: Int] = [:]
      for _ in 0..<Self.rounds {
        let task = ThrowableTask<Int> { (completion: @escaping Complete) in
          held.hold(completion)
          second.hold(completion)
          racers.go()
        }
        ends[End(task.awaitResult()), default: 0] += 1
        #expect(racers.haveEnded())
      }
      racers.end()
      expect(ends, only: .value(1))
    }
  }

  @Test func `timed out and completed`() throws {
    try withDeadline(240) {
      var ends: [End: Int] = [:]
      let callbacks = DispatchQueue(label: "callbacks")
      for round in 0..<Self.rounds {
        let task = ThrowableTask<Int> { (completion: @escaping Complete) in
          callbacks.async { completion(.success(1)) }
        }
        // As long as such a run takes, more or less: so either may come first.
        ends[End(task.awaitResult(timeout: .microseconds(10 + round % 100))), default: 0] += 1
      }
      expect(ends, only: .value(1), .timedOut)
    }
  }

  @Test func `cancelled and completed, with a handler that hears of one`() throws {
    try withDeadline(240) {
      let slot = Locked<ThrowableTask<Int>?>(nil)
      let held = Held<Int>()
      let racers = Racers({ held.complete(.success(1)) }, { slot.withLock { $0 }?.cancel() })
      var ends: [End: Int] = [:]
      for _ in 0..<Self.rounds {
        let task = ThrowableTask<Int> { (completion: @escaping Complete) in
          held.hold(completion)
          racers.go()
        }
        slot.withLock { $0 = task }
        let heard = Steps<End>()
        let gate = Gate()
        task.async {
          heard.note(End($0))
          gate.open()
        }
        #expect(gate.pass() && racers.haveEnded())
        for end in heard.all { ends[end, default: 0] += 1 }
        held.drop()
      }
      racers.end()
      expect(ends, only: .value(1), .cancelled)
    }
  }

  @Test func `an item of a collection that is cancelled and completed gives back one slot`() throws {
    try withDeadline(240) {
      let slot = Locked<ThrowableTask<Int>?>(nil)
      let held = Held<Int>()
      let racers = Racers({ held.complete(.success(1)) }, { slot.withLock { $0 }?.cancel() })
      let running = Counter()
      let other = ThrowableTask { () -> Int in
        running.increment()
        defer { running.decrement() }
        return 2
      }
      for _ in 0..<Self.rounds {
        let task = ThrowableTask<Int> { (completion: @escaping Complete) in
          held.hold(completion)
          racers.go()
        }
        slot.withLock { $0 = task }
        let ends = [task, other, other, other].awaitAllResults(concurrency: 1).map(End.init)
        #expect([.value(1), .cancelled].contains(ends[0]) && ends.dropFirst().allSatisfy { $0 == .value(2) })
        #expect(racers.haveEnded())
        held.drop()
      }
      racers.end()
      #expect(running.peak == 1)
    }
  }
}
