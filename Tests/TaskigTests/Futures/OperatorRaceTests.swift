import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Chains that are completed, cancelled and added to at the same moment.
struct OperatorRaceTests {
  private static let rounds = Machine.stress(500)

  /// Has two threads do `first` and `second` at the same moment, once each round, with what `make` makes for the round, and calls
  /// `check` after it.
  private static func race<Subject: Sendable>(
    _ make: () -> Subject, _ first: @escaping @Sendable (Subject) -> Void,
    _ second: @escaping @Sendable (Subject) -> Void, check: (Subject) -> Void
  ) {
    let subject = Locked<Subject?>(nil)
    let racers = Racers({ subject.withLock { $0 }.map(first) }, { subject.withLock { $0 }.map(second) })
    defer { racers.end() }
    for round in 0..<rounds {
      let made = make()
      subject.withLock { $0 = made }
      racers.go()
      guard racers.haveEnded() else {
        Issue.record("Round \(round) did not end.")
        return
      }
      check(made)
      subject.withLock { $0 = nil }
    }
  }

  @Test func `a shared chain that is set and cancelled at once has one outcome, and each closure runs once at most`()
    throws
  {
    try withDeadline(120) {
      typealias Subject = (source: TaskCompletionSource<Int>, end: SharedTask<Int>, maps: Counter, ends: Counter)
      Self.race { () -> Subject in
        let (source, maps, ends) = (TaskCompletionSource<Int>(), Counter(), Counter())
        let end = source.task.map { $0 + maps.increment() }.always { ends.increment() }
        return (source, end, maps, ends)
      } _: {
        $0.source.trySet(1)
      } _: {
        $0.end.cancel()
      } check: { subject in
        let end = End(subject.end.awaitResult())
        #expect([.value(2), .cancelled].contains(end))
        #expect(End(subject.end.awaitResult()) == end)
        #expect(eventually { subject.ends.value == 1 })
        #expect(subject.maps.value <= 1)
      }
    }
  }

  @Test func `a cold chain whose source ends as it is cancelled ends once`() throws {
    try withDeadline(120) {
      typealias Subject = (
        held: Held<Int>, chain: ThrowableTask<Int>, heard: Steps<End>, done: Gate, maps: Counter
      )
      Self.race { () -> Subject in
        let (held, maps, heard, done) = (Held<Int>(), Counter(), Steps<End>(), Gate())
        let chain = held.task().map { $0 + maps.increment() }.map { $0 }
        chain.async { result in
          heard.note(End(result))
          done.open()
        }
        #expect(held.hasBegun())
        return (held, chain, heard, done, maps)
      } _: {
        $0.held.release(.success(1))
      } _: {
        $0.chain.cancel()
      } check: { subject in
        #expect(subject.done.pass())
        #expect(subject.heard.all == [.value(2)] || subject.heard.all == [.cancelled])
        #expect(subject.maps.value <= 1)
      }
    }
  }

  @Test func `an operator that is added as its source is set goes on`() throws {
    try withDeadline(120) {
      typealias Subject = (source: TaskCompletionSource<Int>, ends: Steps<SharedTask<Int>>)
      Self.race { () -> Subject in
        (TaskCompletionSource<Int>(), Steps<SharedTask<Int>>())
      } _: {
        $0.source.set(1)
      } _: { subject in
        subject.ends.note(subject.source.task.map { $0 + 1 }.recover { _ in 5 })
        let pair: SharedTask<[Int]> = [subject.source.task, subject.source.task].whenAll()
        subject.ends.note(pair.map { $0[0] + $0[1] })
      } check: { subject in
        #expect(subject.ends.all.map { End($0.awaitResult()) } == [.value(2), .value(2)])
      }
    }
  }

  @Test func `a task in between that is cancelled as it ends cancels what follows, or does not`() throws {
    try withDeadline(120) {
      typealias Subject = (
        held: Held<Int>, between: ThrowableTask<Int>, heard: Steps<End>, done: Gate
      )
      Self.race { () -> Subject in
        let (held, heard, done) = (Held<Int>(), Steps<End>(), Gate())
        let between = held.task().map { $0 + 1 }
        between.mapResult { End($0) == .cancelled ? 7 : 8 }.async { result in
          heard.note(End(result))
          done.open()
        }
        #expect(held.hasBegun())
        return (held, between, heard, done)
      } _: {
        $0.held.release(.success(1))
      } _: {
        $0.between.cancel()
      } check: { subject in
        #expect(subject.done.pass())
        #expect(subject.heard.all == [.value(7)] || subject.heard.all == [.value(8)])
      }
    }
  }

  @Test func `a source that ends as its time is up is had, or is late`() throws {
    try withDeadline(120) {
      var ends: [End] = []
      for round in 0..<Self.rounds {
        // Times around how long it takes.
        let time = Duration.microseconds(20 + 5 * (round % 40))
        let task = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
          DispatchQueue.global().async { completion(.success(1)) }
        }
        ends.append(End((round % 2 == 0 ? task.timeout(time) : task.start().timeout(time)).awaitResult()))
      }
      #expect(ends.allSatisfy { $0 == .value(1) || $0 == .timedOut })
    }
  }
}
