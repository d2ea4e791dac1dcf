import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What may happen to a shared task at the same moment, from a common start line, very often.
struct SharedTaskStress {
  private typealias Source = TaskCompletionSource<Int>

  private static let rounds = Machine.stress(2_000)

  /// What two racers are at in this round.
  private final class Slot: Sendable {
    private let source = Locked<TaskCompletionSource<Int>?>(nil)
    private let current = Locked<SharedTask<Int>?>(nil)

    var task: SharedTask<Int>? { current.withLock { $0 } }

    func fill() -> SharedTask<Int> {
      let new = TaskCompletionSource<Int>()
      current.withLock { $0 = new.task }
      source.withLock { $0 = new }
      return new.task
    }

    func set(_ value: Int) { source.withLock { $0 }?.trySet(value) }
    func fail() { source.withLock { $0 }?.trySet(error: Failed()) }
    func cancel() { task?.cancel() }
    func derive() { _ = task?.map { $0 }.always {} }
    func wait() { _ = task?.awaitResult() }
    func waitShortly() { _ = task?.awaitResult(timeout: .microseconds(20)) }
    func cancelDerived() { task?.map { $0 }.cancel() }

    func drop() {
      let dropped = source.withLock { source in
        defer { source = nil }
        return source
      }
      withExtendedLifetime(dropped) {}
    }

    func subscribe(_ heard: Counter) {
      guard let task else { return }
      task.async { result in
        // By then it is done, and stays as it is.
        if End(task.state) == End(result) { heard.increment() }
      }
    }
  }

  /// Runs the two at the same moment, round after round, while this thread awaits what they are at; all observers must agree.
  private func race(
    _ slot: Slot, allowing allowed: Set<End>, location: SourceLocation = #_sourceLocation,
    _ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void
  ) {
    let racers = Racers(first, second)
    defer { racers.end() }
    var counts: [End: Int] = [:]
    let heard = Counter()
    for _ in 0..<Self.rounds {
      let task = slot.fill()
      task.async { [early = task] in if End(early.state) == End($0) { heard.increment() } }
      let derived = task.mapResult { End($0) }
      racers.go()
      let end = End(task.awaitResult())
      guard racers.haveEnded() else {
        Issue.record("The racers did not end.", sourceLocation: location)
        return
      }
      let others = [End(task.state), End(task.awaitResult()), End(task.awaitResult(timeout: .seconds(3_600)))]
      let seen = others + [try? derived.await()]
      counts[end, default: 0] += 1
      // Who cancels `derived`'s source through another leaves it its own outcome.
      #expect(seen.allSatisfy { $0 == end }, "\(end): \(seen)", sourceLocation: location)
      slot.drop()
    }
    #expect(Set(counts.keys).isSubset(of: allowed), "\(counts)", sourceLocation: location)
    #expect(counts.values.reduce(0, +) == Self.rounds, sourceLocation: location)
    #expect(eventually { heard.value == Self.rounds }, "\(heard.value)", sourceLocation: location)
  }

  @Test func `set by two`() throws {
    try withDeadline(120) {
      let slot = Slot()
      race(slot, allowing: [.value(1), .value(2)], { slot.set(1) }, { slot.set(2) })
      race(slot, allowing: [.value(1), .failed], { slot.set(1) }, { slot.fail() })
    }
  }

  @Test func `set and cancelled`() throws {
    try withDeadline(120) {
      let slot = Slot()
      race(slot, allowing: [.value(1), .cancelled], { slot.set(1) }, { slot.cancel() })
      race(slot, allowing: [.value(1), .cancelled], { slot.set(1) }, { slot.cancelDerived() })
      race(slot, allowing: [.cancelled], { slot.cancel() }, { slot.cancelDerived() })
    }
  }

  @Test func `set and let go of, cancelled and let go of`() throws {
    try withDeadline(120) {
      let slot = Slot()
      race(slot, allowing: [.value(1), .lost], { slot.set(1) }, { slot.drop() })
      race(slot, allowing: [.cancelled, .lost], { slot.cancel() }, { slot.drop() })
    }
  }

  @Test func `set, cancelled and let go of, and awaited`() throws {
    try withDeadline(180) {
      let slot = Slot()
      for wait in [{ slot.wait() }, { slot.waitShortly() }] as [@Sendable () -> Void] {
        race(slot, allowing: [.value(1)], { slot.set(1) }, wait)
        race(slot, allowing: [.cancelled], { slot.cancel() }, wait)
        race(slot, allowing: [.lost], { slot.drop() }, wait)
      }
    }
  }

  @Test func `set, cancelled and let go of, and followed by others`() throws {
    try withDeadline(180) {
      let slot = Slot()
      let heard = Counter()
      for follow in [{ slot.derive() }, { slot.subscribe(heard) }] as [@Sendable () -> Void] {
        race(slot, allowing: [.value(1)], { slot.set(1) }, follow)
        race(slot, allowing: [.cancelled], { slot.cancel() }, follow)
        race(slot, allowing: [.lost], { slot.drop() }, follow)
      }
      #expect(eventually { heard.value == 3 * Self.rounds }, "\(heard.value)")
    }
  }

  @Test func `of many threads that try to set it, exactly one has`() throws {
    try withDeadline(120) {
      let threads = 8
      for _ in 0..<Machine.stress(200) {
        let source = Source()
        let start = Meeting(of: threads)
        let setting = (0..<threads).map { index in
          Aside { () -> Bool in
            _ = start.join()
            return switch index % 3 {
            case 0: source.trySet(index)
            case 1: source.trySet(.success(index))
            default: source.trySet(error: Failed(number: index))
            }
          }
        }
        let winners = setting.enumerated().filter { $0.element.result() == true }.map(\.offset)
        #expect(winners.count == 1)
        let end = End(source.task.state)
        #expect(winners.first.map { $0 % 3 == 2 ? .failed : .value($0) } == end)
      }
    }
  }

  @Test func `whoever has tried to set it finds it done`() throws {
    try withDeadline(120) {
      let slot = Locked<Source?>(nil)
      let early = Counter()
      let act = { @Sendable in
        guard let source = slot.withLock({ $0 }) else { return }
        _ = source.trySet(1)
        if !source.task.isCompleted { early.increment() }
      }
      let racers = Racers(act, act)
      defer { racers.end() }
      for _ in 0..<5 * Self.rounds {
        slot.withLock { $0 = Source() }
        racers.go()
        #expect(racers.haveEnded())
      }
      #expect(early.value == 0)
    }
  }

  @Test func `a handler that comes while the consumer cancels is called once`() throws {
    try withDeadline(120) {
      let slot = Locked<Source?>(nil)
      let handled = Counter()
      let racers = Racers(
        { slot.withLock { $0 }?.task.cancel() }, { slot.withLock { $0 }?.onCancel { handled.increment() } })
      defer { racers.end() }
      for _ in 0..<Self.rounds {
        let source = Source()
        slot.withLock { $0 = source }
        racers.go()
        #expect(End(source.task.awaitResult()) == .cancelled && racers.haveEnded())
      }
      #expect(eventually { handled.value == Self.rounds }, "\(handled.value)")
    }
  }

  @Test func `awaited by a task that is cancelled`() throws {
    try withDeadline(120) {
      let source = Source()
      let slot = Locked<ThrowableTask<Void>?>(nil)
      let racers = Racers({ slot.withLock { $0 }?.cancel() }, { _ = source.task.isCompleted })
      defer { racers.end() }
      for shared in [source.task, source.task.map { $0 }] {
        let ends = Steps<End>()
        for _ in 0..<Self.rounds {
          let task = ThrowableTask<Void> {
            racers.go()
            ends.note(End(shared.awaitResult()))
          }
          slot.withLock { $0 = task }
          _ = task.awaitResult()
          #expect(racers.haveEnded())
        }
        #expect(eventually { ends.all.count == Self.rounds } && Set(ends.all) == [.cancelled], "\(Set(ends.all))")
        #expect(!shared.isCompleted)
      }
    }
  }

  @Test func `one that runs is cancelled and completes, with many who come and go`() throws {
    try withDeadline(120) {
      for _ in 0..<Machine.stress(200) {
        let held = Held<Int>()
        let shared = held.task().start()
        #expect(held.hasBegun())
        let start = Meeting(of: 6)
        let acts: [@Sendable () -> End?] = [
          {
            shared.cancel()
            return nil
          },
          {
            held.complete(.success(1))
            return nil
          },
          { End(shared.awaitResult()) },
          { End(shared.awaitResult(timeout: .seconds(3_600))) },
          { End(shared.map { $0 }.awaitResult()) },
          { End(TaskResult { try [shared, shared].awaitAll()[0] }) },
        ]
        let running = acts.map { act in
          Aside { () -> End? in
            _ = start.join()
            return act()
          }
        }
        let ends = running.map { $0.result() }
        #expect(ends.allSatisfy { $0 != nil })
        let end = End(shared.state)
        #expect(end == .value(1) || end == .cancelled)
        #expect(ends.compactMap { $0.flatMap { $0 } }.allSatisfy { $0 == end }, "\(ends), \(String(describing: end))")
        held.drop()
      }
    }
  }
}
