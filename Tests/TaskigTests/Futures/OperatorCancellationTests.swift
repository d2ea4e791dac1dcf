import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What becomes of a chain when it, its source or something in between is cancelled.
struct OperatorCancellationTests {
  /// A task whose action hands over its completion, and notes in `cancellations` when its run is cancelled.
  private static func watched(_ held: Held<Int>, _ cancellations: Counter) -> ThrowableTask<Int> {
    ThrowableTask { (completion: @escaping Held<Int>.Complete) in
      Task.onCancel { cancellations.increment() }
      held.hold(completion)
    }
  }

  /// A task of each kind that does so.
  private static func each(_ held: Held<Int>, _ cancellations: Counter) -> [Face] {
    let cold = watched(held, cancellations)
    return [.cold(cold), .own(OwnTask(watching: held, cancellations)), .hot(cold.start())]
  }

  @Test func `cancelling the result cancels the run of the source`() throws {
    try withDeadline {
      let (held, cancellations, calls) = (Held<Int>(), Counter(), Counter())
      let chains = Self.each(held, cancellations).map { task in
        task.map { $0 + calls.increment() }.recover { _ in calls.increment() }
      }
      let ends = chains.map { chain in Aside { chain.end() } }
      #expect(held.hasBegun(3))
      for chain in chains { chain.cancel() }
      #expect(ends.map { $0.result() } == [.cancelled, .cancelled, .cancelled])
      #expect(cancellations.value == 3)
      held.complete(.success(1))
      #expect(calls.value == 0)
    }
  }

  @Test func `the body of the source sees it, and what it awaits ends`() throws {
    try withDeadline {
      let (never, seen, begun) = (Held<Int>(), Counter(), Counter())
      let waiting = never.task()
      let chains = Face.each {
        begun.increment()
        let end = End(waiting.awaitResult())
        if end == .cancelled, Task.isCancelled { seen.increment() }
        return 1
      }.map { task in task.map { $0 + 1 } }
      let ends = chains.map { chain in Aside { chain.end() } }
      #expect(never.hasBegun(3))
      for chain in chains { chain.cancel() }
      #expect(ends.map { $0.result() } == [.cancelled, .cancelled, .cancelled])
      #expect(eventually { seen.value == 3 })
      never.drop()
    }
  }

  @Test func `a cancelled source gives a cancelled result, which passes by the closures for values and for errors`()
    throws
  {
    try withDeadline {
      let calls = Counter()
      for task in Face.eachCancelled {
        #expect(task.map { _ in calls.increment() }.end() == .cancelled)
        #expect(task.flatMap { _ in ThrowableTask { calls.increment() } }.end() == .cancelled)
        #expect(task.mapError { _ in Failed(number: calls.increment()) }.end() == .cancelled)
        #expect(task.recover { _ in calls.increment() }.end() == .cancelled)
        #expect(task.recover(with: { _ in ThrowableTask { calls.increment() } }).end() == .cancelled)
        #expect(task.recover(withPlain: { _ in Task { calls.increment() } }).end() == .cancelled)
        #expect(task.delay(for: .seconds(3_600)).end() == .cancelled)
        #expect(task.timeout(.seconds(3_600)).end() == .cancelled)
      }
      #expect(calls.value == 0)
      // Swift's own error says the same.
      let foreign = ThrowableTask<Int> { throw CancellationError() }
      #expect(throws: CancellationError.self) { try foreign.recover { _ in calls.increment() }.await() }
      #expect(End(foreign.mapResult { $0.isCancelled ? 7 : 8 }.awaitResult()) == .value(7))
      #expect(calls.value == 0)
    }
  }

  @Test func `mapResult, flatMapResult and always see it`() throws {
    try withDeadline {
      for task in Face.eachCancelled {
        let runs = Counter()
        #expect(task.always { runs.increment() }.end() == .cancelled)
        #expect(task.mapResult { End($0) == .cancelled ? 7 : 8 }.end() == .value(7))
        #expect(task.flatMapResult { result in ThrowableTask { End(result) == .cancelled ? 7 : 8 } }.end() == .value(7))
        #expect(runs.value == 1)
      }
    }
  }

  @Test func `no closure starts if the result was cancelled before`() throws {
    try withDeadline {
      let runs = Counter()
      let source = ThrowableTask { runs.increment() }
      let own = OwnTask { runs.increment() }
      for task in [
        source.map { $0 }, own.map { $0 }, source.always { runs.increment() }, own.always { runs.increment() },
      ] {
        let chain = task.map { _ in runs.increment() }.mapResult { _ in runs.increment() }
        chain.cancel()
        #expect(End(chain.awaitResult()) == .cancelled)
        #expect([chain, chain].awaitAllResults().map(End.init) == [.cancelled, .cancelled])
        #expect(End([chain].whenAll().map { $0[0] }.awaitResult()) == .cancelled)
      }
      #expect(runs.value == 0)
    }
  }

  @Test func `none starts after it was cancelled during the source or during a closure`() throws {
    try withDeadline {
      for stage in 0...2 {
        let chain = Box<ThrowableTask<Int>?>(nil)
        let calls = Steps<Int>()
        let step: @Sendable (Int) -> Void = { number in
          calls.note(number)
          if number == stage { chain.value?.cancel() }
        }
        chain.value = ThrowableTask { step(0) }
          .map { step(1) }
          .flatMap { ThrowableTask { step(2) } }
          .map { step(3) }
          .recover { _ in step(4) }
          .map { 5 }
        let end = chain.value.map { End($0.awaitResult()) }
        #expect(end == .cancelled)
        #expect(calls.all == Array(0...stage))
        chain.value = nil
      }
    }
  }

  @Test func `the closures that see cancellation run also then, and the task that flatMapResult makes does not`() throws
  {
    try withDeadline {
      let (held, cancellations, runs) = (Held<Int>(), Counter(), Counter())
      let seen = Steps<End>()
      for (count, task) in Self.each(held, cancellations).enumerated() {
        let (ended, chained) = (Gate(), Gate())
        let chain = task.always { runs.increment() }
          .flatMapResult { result -> ThrowableTask<Int> in
            seen.note(End(result))
            chained.open()
            return ThrowableTask { runs.increment() * 100 }
          }
          .always { ended.open() }
        let end = Aside { chain.end() }
        #expect(held.hasBegun(task.isHot ? 3 : count + 2))
        chain.cancel()
        #expect(end.result() == .cancelled)
        #expect(chained.pass() && ended.pass())
        // What follows a shared task does not wait for its `always`.
        #expect(eventually { runs.value == count + 1 })
      }
      #expect(seen.all == [.cancelled, .cancelled, .cancelled])
      held.drop()
    }
  }

  @Test
  func `a task in between that is cancelled while it runs cancels what follows it, which can make something of that`()
    throws
  {
    try withDeadline {
      let (held, cancellations, calls) = (Held<Int>(), Counter(), Counter())
      for (count, first) in Self.each(held, cancellations).enumerated() {
        let between = first.map { $0 + 1 }
        let last = between.map { $0 + calls.increment() }.recover { _ in calls.increment() }
        let outer = last.mapResult { End($0) == .cancelled && !Task.isCancelled ? 7 : 8 }
        let outermost = outer.map { $0 * 10 }.flatMap { value in ThrowableTask { value + 1 } }
        let end = Aside { outermost.end() }
        #expect(held.hasBegun(first.isHot ? 3 : count + 2))
        between.cancel()
        #expect(end.result() == .value(71))
        #expect(cancellations.value == count + 1)
        #expect(last.end() == .cancelled)
      }
      #expect(calls.value == 0)
      held.drop()
    }
  }

  @Test func `the source itself may be cancelled while it runs, and each copy of it is the same task`() throws {
    try withDeadline {
      let (held, cancellations) = (Held<Int>(), Counter())
      let source = Self.watched(held, cancellations)
      let copy = source.named("copy")
      let chain = source.map { $0 + 1 }
      let end = Aside { End(chain.awaitResult()) }
      #expect(held.hasBegun())
      copy.cancel()
      #expect(end.result() == .cancelled)
      #expect(cancellations.value == 1)
      var again = source
      again.isCancelled = false
      let second = Aside { End(chain.awaitResult()) }
      #expect(held.hasBegun(2))
      held.complete(.success(1))
      #expect(second.result() == .value(2))
      #expect(!chain.isCancelled)
    }
  }

  @Test func `time that is up ends the await of a chain, and the run of its source`() throws {
    try withDeadline {
      let (held, cancellations) = (Held<Int>(), Counter())
      let tasks = Self.each(held, cancellations)
      // The shared one has been started.
      #expect(held.hasBegun())
      for task in tasks {
        let before = held.count
        // On a busy machine the time may be up before the run has begun, and then it never does: once more.
        repeat {
          #expect(task.map { $0 + 1 }.recover { _ in -1 }.end(within: .milliseconds(50)) == .timedOut)
        } while !task.isHot && held.count == before
      }
      // The shared one goes on, for the others.
      #expect(held.count >= 3 && eventually { cancellations.value == held.count - 1 })
      held.complete(.success(1))
    }
  }

  @Test func `a cancelled task that awaits a chain ends the run of its source, unless that is shared`() throws {
    try withDeadline {
      let (held, cancellations) = (Held<Int>(), Counter())
      for (count, task) in Self.each(held, cancellations).enumerated() {
        let chain = task.map { $0 + 1 }
        let outer = ThrowableTask { chain.end() }
        let end = Aside { try? outer.await() }
        #expect(held.hasBegun(task.isHot ? 3 : count + 2))
        outer.cancel()
        #expect(end.result() != nil)
        #expect(cancellations.value == min(count + 1, 2))
        if task.isHot {
          held.complete(.success(1))
          #expect(chain.end() == .value(2))
        }
      }
    }
  }
}

extension OwnTask {
  /// A task whose action hands its completion to `held`, and notes in `cancellations` when its run is cancelled.
  fileprivate init(watching held: Held<Int>, _ cancellations: Counter) {
    executionQueue = .taskDefault
    run = { completion in
      Task.onCancel { cancellations.increment() }
      held.hold(completion)
    }
  }
}
