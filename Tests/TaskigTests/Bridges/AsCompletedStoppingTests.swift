import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Loops over tasks that end early, and what becomes of the tasks.
struct AsCompletedStoppingTests {
  private typealias Complete = Held<Int>.Complete

  /// A task that waits, and counts that it has been called off.
  private static func task(_ held: Held<Int>, _ told: Counter) -> ThrowableTask<Int> {
    ThrowableTask { (completion: @escaping Complete) in
      Task.onCancel { told.increment() }
      held.hold(completion)
    }
  }

  @Test func `after a break those that run are cancelled, and no more begin`() throws {
    try withDeadline { () throws in
      let (held, told, runs) = (Held<Int>(), Counter(), Counter())
      let loop = AsyncAside {
        let waiting = (0..<3).map { _ in Self.task(held, told) }
        let tasks =
          waiting + [ThrowableTask { held.hasBegun(3) ? 7 : 8 }]
          + (0..<9).map { _ in
            ThrowableTask { runs.increment() }
          }
        for await (index, result) in tasks.resultsAsCompleted(concurrency: 4) { return (index, End(result)) }
        return (-1, End.failed)
      }
      let first = loop.result()
      #expect(first?.0 == 3 && first?.1 == .value(7))
      #expect(eventually { told.value == 3 })
      #expect(runs.value == 0)
      held.drop()
    }
  }

  @Test func `a failure ends the loop, cancels those that run, and no more begin`() throws {
    try withDeadline { () throws in
      let (held, told, runs) = (Held<Int>(), Counter(), Counter())
      let loop = AsyncAside { () -> (Int, End) in
        let waiting = (0..<3).map { _ in Self.task(held, told) }
        let failing = ThrowableTask<Int> {
          _ = held.hasBegun(3)
          throw Failed()
        }
        var seen = 0
        do {
          let tasks = [ThrowableTask { 1 }] + waiting + [failing] + [ThrowableTask { runs.increment() }]
          for try await _ in tasks.asCompleted(concurrency: 4) { seen += 1 }
        } catch { return (seen, End(.failure(error))) }
        return (seen, .value(0))
      }
      let end = loop.result()
      #expect(end?.0 == 1 && end?.1 == .failed)
      #expect(eventually { told.value == 3 })
      #expect(runs.value == 0)
      held.drop()
    }
  }

  @Test func `after a failure there is nothing more`() throws {
    try withDeadline { () throws in
      let (held, done) = (Held<Int>(), Held<Int>())
      let loop = AsyncAside { () -> [End?] in
        let failing = ThrowableTask<Int> {
          _ = held.hasBegun()
          throw Failed()
        }
        var iterator = [held.task(), failing, done.task()].asCompleted().makeAsyncIterator()
        var ends: [End?] = []
        for _ in 0..<3 {
          do { ends.append(try await iterator.next().map(End.value)) } catch { ends.append(End(.failure(error))) }
        }
        return ends
      }
      #expect(loop.result() == [.failed, nil, nil])
      held.drop()
      done.drop()
    }
  }

  @Test func `what was done beside a failure is no result any more`() throws {
    try withDeadline { () throws in
      let (first, second) = (Held<Int>(), Held<Int>())
      let (busy, gate) = (Gate(), AsyncGate())
      let loop = AsyncAside { () -> [End?] in
        var iterator = [first.task(), second.task(), ThrowableTask { 1 }].asCompleted().makeAsyncIterator()
        var ends: [End?] = []
        for _ in 0..<4 {
          do { ends.append(try await iterator.next().map(End.value)) } catch { ends.append(End(.failure(error))) }
          if ends.count == 1 {
            busy.open()
            await gate.pass()
          }
        }
        return ends
      }
      #expect(busy.pass() && first.hasBegun() && second.hasBegun())
      first.release(.failure(Failed()))
      second.release(.success(2))
      gate.open()
      #expect(loop.result() == [.value(1), .failed, nil, nil])
    }
  }

  @Test func `cancelling the Swift task ends a loop that waits`() throws {
    try withDeadline { () throws in
      let (held, told) = (Held<Int>(), Counter())
      let loop = AsyncAside { () -> End in
        do {
          for try await _ in (0..<5).map({ _ in Self.task(held, told) }).asCompleted() {}
        } catch { return End(.failure(error)) }
        return .value(0)
      }
      #expect(held.hasBegun(5))
      loop.cancel()
      #expect(loop.result() == .cancelled && told.value == 5)
      held.drop()
    }
  }

  @Test func `each result says so where failures are no reason to stop`() throws {
    try withDeadline { () throws in
      let (held, runs) = (Held<Int>(), Counter())
      let loop = AsyncAside { () -> [End] in
        var ends: [End] = []
        let tasks = (0..<3).map { _ in held.task() } + (0..<2).map { _ in ThrowableTask { runs.increment() } }
        for await (_, result) in tasks.resultsAsCompleted(concurrency: 3) { ends.append(End(result)) }
        return ends
      }
      #expect(held.hasBegun(3))
      loop.cancel()
      #expect(loop.result() == Array(repeating: .cancelled, count: 5))
      #expect(runs.value == 0)
      held.drop()
    }
  }

  @Test func `in a Swift task that is cancelled already, no action runs`() throws {
    try withDeadline { () throws in
      let (runs, gate) = (Counter(), AsyncGate())
      let loop = AsyncAside { () -> [End] in
        await gate.pass()
        var ends: [End] = []
        for await (_, result) in (0..<5).map({ _ in ThrowableTask { runs.increment() } }).resultsAsCompleted() {
          ends.append(End(result))
        }
        return ends
      }
      loop.cancel()
      gate.open()
      #expect(loop.result() == Array(repeating: .cancelled, count: 5))
      #expect(runs.value == 0)
    }
  }

  @Test func `nor one that would begin after a cancellation between two results`() throws {
    try withDeadline { () throws in
      let (runs, busy, gate) = (Counter(), Gate(), AsyncGate())
      let loop = AsyncAside { () -> End in
        do {
          for try await _ in (0..<9).map({ _ in ThrowableTask { runs.increment() } }).asCompleted(concurrency: 1) {
            busy.open()
            await gate.pass()
          }
        } catch { return End(.failure(error)) }
        return .value(0)
      }
      #expect(busy.pass())
      loop.cancel()
      gate.open()
      #expect(loop.result() == .cancelled)
      #expect(runs.value == 1)
    }
  }

  @Test func `a loop over plain tasks goes on, and they see the cancellation`() throws {
    try withDeadline { () throws in
      let (begun, hold, seen) = (Gate(), Gate(), Steps<Bool>())
      let loop = AsyncAside {
        var sum = 0
        let tasks = (0..<3).map { _ in
          Task { () -> Int in
            begun.open()
            hold.pass()
            seen.note(eventually { Task.isCancelled })
            return 1
          }
        }
        for await value in tasks.asCompleted(concurrency: 3) { sum += value }
        return sum
      }
      #expect(begun.pass())
      loop.cancel()
      hold.open()
      #expect(loop.result() == 3 && seen.all == [true, true, true])
    }
  }

  @Test func `a task that is cancelled by itself ends as such, and the loop with it`() throws {
    try withDeadline { () throws in
      let held = Held<Int>()
      let (cancelled, own) = (held.task(), OwnTask(held))
      let loop = AsyncAside { () -> End in
        do { for try await _ in [cancelled].asCompleted() {} } catch { return End(.failure(error)) }
        return .value(0)
      }
      let other = AsyncAside { () -> End in
        do { for try await _ in [own].asCompleted() {} } catch { return End(.failure(error)) }
        return .value(0)
      }
      #expect(held.hasBegun(2))
      cancelled.cancel()
      own.flag.set(true)
      #expect(loop.result() == .cancelled && other.result() == .cancelled)
      held.drop()
    }
  }

  @Test func `nothing is kept alive after the end, a break or a failure`() throws {
    try withDeadline { () throws in
      let (population, held) = (Population(), Held<Int>())
      let done = AsyncAside {
        let makeTask = { @Sendable (value: Int?) in
          ThrowableTask<Population.Member> { [member = population.member()] in
            guard value != nil else { throw Failed() }
            return member
          }
        }
        do {
          for try await _ in (0..<5).map({ makeTask($0) }).asCompleted() {}
          for try await _ in (0..<5).map({ makeTask($0) }).asCompleted() { break }
          for try await _ in [makeTask(1), makeTask(nil), makeTask(2)].asCompleted(concurrency: 2) {}
        } catch {}
        _ = [makeTask(1)].asCompleted()
        _ = [makeTask(1)].asCompleted().makeAsyncIterator()
        return true
      }
      #expect(done.result() == true)
      #expect(population.hasDied(), "\(population.count)")
      held.drop()
    }
  }
}
