import Dispatch
import Foundation
import Testing

@testable import Taskig

struct TaskMemoTests {
  typealias Memo = TaskMemo<String, Int>
  typealias Numbers = TaskMemo<Int, Int>

  private static let retentions: [Memo.Retention] = [.inFlight, .successes]

  @Test func `the same key shares a task while it is in flight, and others have their own`() throws {
    try withDeadline {
      for retention in Self.retentions {
        let memo = Memo(keeping: retention)
        let held = Held<Int>()
        let first = memo.task(for: "a") { held.task() }
        #expect(held.hasBegun())
        let second = memo.task(for: "a") { held.task() }
        let other = memo.task(for: "b") { held.task() }
        #expect(first === second && first !== other)
        #expect(held.hasBegun(2) && !first.isCompleted)
        held.complete(.success(1))
        #expect([first, second, other].map { End($0.awaitResult()) } == [.value(1), .value(1), .value(1)])
        #expect(held.count == 2)
      }
    }
  }

  @Test func `the work may be a closure that returns the value or throws`() throws {
    try withDeadline {
      let memo = Memo(keeping: .successes)
      let runs = Counter()
      for _ in 0..<2 {
        #expect(End(memo.task(for: "right") { runs.increment() }.awaitResult()) == .value(1))
        #expect(End(memo.task(for: "wrong") { throw Failed() }.awaitResult()) == .failed)
      }
    }
  }

  @Test func `it runs the work without being awaited, and asking does not block`() throws {
    try withDeadline {
      let memo = Memo()
      let (hold, ran) = (Gate(), Gate())
      memo.task(for: "a") {
        hold.pass()
        return Task {
          ran.open()
          return 1
        }
      }
      hold.open()
      #expect(ran.pass())
    }
  }

  @Test func `whoever asks may hold a lock that the work needs`() throws {
    try withDeadline {
      let memo = Memo()
      let lock = NSLock()
      let shared = lock.withLock {
        memo.task(for: "a") {
          lock.withLock {}
          return ThrowableTask { lock.withLock { 1 } }
        }
      }
      #expect(End(shared.awaitResult()) == .value(1))
    }
  }

  @Test func `what has succeeded is done again, or kept`() throws {
    try withDeadline {
      for retention in Self.retentions {
        let memo = Memo(keeping: retention)
        let runs = Counter()
        let values = (0..<3).map { _ in
          End(memo.task(for: "a") { ThrowableTask { runs.increment() } }.awaitResult())
        }
        switch retention {
        case .inFlight: #expect(values == [.value(1), .value(2), .value(3)])
        case .successes: #expect(values == [.value(1), .value(1), .value(1)])
        }
      }
    }
  }

  @Test func `what has failed or been cancelled is done again`() throws {
    try withDeadline {
      for retention in Self.retentions {
        for error in [Failed(), CancellableTaskError.taskWasCancelled, CancellationError()] as [any Error] {
          let memo = Memo(keeping: retention)
          let failed = memo.task(for: "a") { ThrowableTask<Int> { throw error } }
          #expect(failed.awaitResult().isCancelled == (error is Failed ? false : true))
          let again = memo.task(for: "a") { ThrowableTask { 2 } }
          #expect(again !== failed && End(again.awaitResult()) == .value(2))
        }
        let (memo, held) = (Memo(keeping: retention), Held<Int>())
        let cancelled = memo.task(for: "a") { held.task() }
        let waiting = Aside { End(cancelled.awaitResult()) }
        #expect(held.hasBegun())
        cancelled.cancel()
        let again = memo.task(for: "a") { ThrowableTask { 3 } }
        #expect(waiting.result() == .cancelled && again !== cancelled && End(again.awaitResult()) == .value(3))
        // That the first one's run ends only now does nothing to the second.
        held.complete(.failure(Failed()))
        if case .successes = retention {
          #expect(memo.task(for: "a") { ThrowableTask { 4 } } === again)
        }
        let lost = memo.task(for: "b") { ThrowableTask<Int> { (_: @escaping Held<Int>.Complete) in } }
        #expect(End(lost.awaitResult()) == .lost)
        #expect(End(memo.task(for: "b") { Task { 5 } }.awaitResult()) == .value(5))
      }
    }
  }

  @Test func `an error of what makes the work is that of the task`() throws {
    try withDeadline {
      for retention in Self.retentions {
        let memo = Memo(keeping: retention)
        let failing = memo.task(for: "a") { () throws -> ThrowableTask<Int> in throw Failed() }
        let plain = memo.task(for: "b") { () throws -> Task<Int> in throw Failed() }
        #expect(End(failing.awaitResult()) == .failed && End(plain.awaitResult()) == .failed)
        #expect(End(memo.task(for: "a") { Task { 1 } }.awaitResult()) == .value(1))
      }
    }
  }

  @Test func `a removed task goes on, and the next caller starts another`() throws {
    try withDeadline {
      for retention in Self.retentions {
        for error in [nil, Failed()] {
          let (memo, held) = (Memo(keeping: retention), Held<Int>())
          #expect(memo.removeTask(for: "a") == nil)
          let first = memo.task(for: "a") { held.task() }
          #expect(held.hasBegun())
          #expect(memo.removeTask(for: "a") === first && memo.removeTask(for: "a") == nil)
          let other = Held<Int>()
          let second = memo.task(for: "a") { other.task() }
          #expect(other.hasBegun() && second !== first)
          held.complete(error.map(TaskResult.failure) ?? .success(1))
          #expect(End(first.awaitResult()) == (error == nil ? .value(1) : .failed))
          // The end of the removed one takes nothing from the one that came after it.
          #expect(memo.task(for: "a") { other.task() } === second)
          memo.task(for: "b") { other.task() }
          #expect(other.hasBegun(2))
          memo.removeAllTasks()
          let third = memo.task(for: "a") { Task { 3 } }
          #expect(third !== second && End(third.awaitResult()) == .value(3))
          other.complete(.success(2))
          #expect(End(second.awaitResult()) == .value(2) && other.count == 2)
        }
      }
    }
  }

  @Test func `many who ask at once have the work done once`() throws {
    try withDeadline {
      for retention in [Numbers.Retention.inFlight, .successes] {
        for _ in 0..<Machine.stress(100) {
          let memo = Numbers(keeping: retention)
          let (runs, start, hold) = (Counter(), Meeting(of: 4), Gate())
          let asking = (0..<4).map { _ in
            Aside {
              _ = start.join()
              return (0..<10).map { key in
                memo.task(for: key) {
                  runs.increment()
                  return ThrowableTask {
                    hold.pass()
                    return key
                  }
                }
              }
            }
          }
          let tasks = asking.compactMap { $0.result() }
          hold.open()
          for each in tasks {
            #expect(zip(each, tasks[0]).allSatisfy { $0 === $1 })
            #expect(each.map { End($0.awaitResult()) } == (0..<10).map(End.value))
          }
          #expect(tasks.count == 4 && runs.value == 10)
        }
      }
    }
  }

  @Test func `the work may ask for other keys, and from a queue that waits for it`() throws {
    try withDeadline {
      let memo = TaskMemo<Int, Int>(keeping: .successes)
      let own = NamedQueue("own")
      @Sendable func sum(to n: Int) -> SharedTask<Int> {
        memo.task(for: n) {
          ThrowableTask(executionQueue: n % 2 == 0 ? own.queue : .taskDefault) {
            n == 0 ? 0 : try sum(to: n - 1).await() + n
          }
        }
      }
      let value = own.queue.sync { End(sum(to: 20).awaitResult()) }
      #expect(value == .value(210))
      #expect(End(sum(to: 10).awaitResult()) == .value(55))
    }
  }

  @Test func `keys that wait for each other may lie deep in one another`() throws {
    try withDeadline {
      let memo = TaskMemo<Int, Int>()
      @Sendable func sum(to n: Int) -> SharedTask<Int> {
        memo.task(for: n) { ThrowableTask { n == 0 ? 0 : try sum(to: n - 1).await() + n } }
      }
      let depth = Machine.depth(200)
      #expect(End(sum(to: depth).awaitResult()) == .value(depth * (depth + 1) / 2))
    }
  }

  @Test func `the work may come from shared tasks, and from a memo below`() throws {
    try withDeadline {
      let (below, above) = (Memo(), Memo(keeping: .successes))
      let held = Held<Int>()
      @Sendable func ask() -> SharedTask<Int> {
        above.task(for: "a") { below.task(for: "a") { held.task() }.map { $0 + 1 } }
      }
      let asked = ask()
      #expect(held.hasBegun() && ask() === asked)
      held.complete(.success(1))
      #expect(End(asked.awaitResult()) == .value(2) && End(ask().awaitResult()) == .value(2) && held.count == 1)
    }
  }

  @Test func `a key with a memo's task that was cancelled calls off the work`() throws {
    try withDeadline {
      let memo = Memo()
      let inner = Held<Int>()
      let seen = Steps<Bool>()
      let task = memo.task(for: "a") {
        ThrowableTask { () -> Int in
          seen.note(inner.task().awaitResult().isCancelled && Task.isCancelled)
          return 1
        }
      }
      #expect(inner.hasBegun())
      task.cancel()
      #expect(eventually { seen.all == [true] })
      inner.drop()
    }
  }

  @Test func `everything is let go of but what is kept`() throws {
    try withDeadline {
      for retention in Self.retentions {
        let population = Population()
        let faint: Faint<Memo>
        let tasks: [Faint<SharedTask<Int>>]
        do {
          let memo = Memo(keeping: retention)
          faint = Faint(memo)
          let all = ["a", "b", "c"].map { key in
            memo.task(for: key) { [member = population.member()] in
              ThrowableTask { [member] in
                try withExtendedLifetime(member) { if key == "b" { throw Failed() } else { 1 } }
              }
            }
          }
          tasks = all.map(Faint.init)
          #expect(all.map { End($0.awaitResult()) } == [.value(1), .failed, .value(1)])
          #expect(population.hasDied())
          _ = memo.removeTask(for: "c")
          withExtendedLifetime(memo) {}
        }
        #expect(eventually { faint.object == nil && tasks.allSatisfy { $0.object == nil } })
      }
    }
  }

  @Test func `a memo that lives on holds only what it keeps`() throws {
    try withDeadline {
      for retention in [Numbers.Retention.inFlight, .successes] {
        let memo = Numbers(keeping: retention)
        var kept: [Faint<SharedTask<Int>>] = []
        var gone: [Faint<SharedTask<Int>>] = []
        for key in 0..<100 {
          let succeeded = memo.task(for: 3 * key) { Task { 1 } }
          let failed = memo.task(for: 3 * key + 1) { ThrowableTask<Int> { throw Failed() } }
          // Before its run has begun, in it or after it, as it happens.
          let cancelled = memo.task(for: 3 * key + 2) { ThrowableTask<Int> { throw Failed() } }
          cancelled.cancel()
          for each in [succeeded, failed, cancelled] { _ = each.awaitResult() }
          kept.append(Faint(succeeded))
          gone += [Faint(failed), Faint(cancelled)]
        }
        if case .inFlight = retention { gone += kept }
        #expect(eventually { gone.allSatisfy { $0.object == nil } }, "\(gone.count { $0.object != nil }) are left")
        if case .successes = retention { #expect(kept.allSatisfy { $0.object != nil }) }
        withExtendedLifetime(memo) {}
      }
    }
  }
}
