import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Async code as a task: what it gives, where it runs and what it keeps.
struct AsyncCodeTests {
  /// What async code calls that must not be called from two threads at once.
  private actor Till {
    var amount = 0

    func add(_ number: Int) -> Int {
      amount += number
      return amount
    }
  }

  /// A class that must not go from thread to thread.
  private final class Notebook {
    var lines = ["first"]
  }

  @Test func `a value comes out of async code that suspends`() throws {
    try withDeadline { () throws in
      let till = Till()
      let code: @Sendable () async -> Int = {
        await _Concurrency.Task.yield()
        return await till.add(1)
      }
      #expect(Task.awaitAsync { await code() } == 1)
      #expect(Task.fromAsync { await code() }.await() == 2)
      #expect(Task.fromAsync { await code() }.await(timeout: .seconds(60)) == 3)
      #expect(try ThrowableTask.awaitAsync { await code() } == 4)
      #expect(try ThrowableTask.fromAsync { await code() }.await() == 5)
      #expect(End(ThrowableTask.fromAsync { await code() }.awaitResult(timeout: .seconds(60))) == .value(6))
    }
  }

  @Test func `its errors come out as they are, and its cancellation as the task's`() throws {
    try withDeadline { () throws in
      #expect(throws: Failed(number: 7)) {
        try ThrowableTask<Int>.awaitAsync {
          await _Concurrency.Task.yield()
          throw Failed(number: 7)
        }
      }
      #expect(End(ThrowableTask<Int>.fromAsync { throw CancellationError() }.awaitResult()) == .cancelled)
      #expect(throws: CancellableTaskError.taskWasCancelled) {
        try ThrowableTask<Int>.awaitAsync { throw CancellationError() }
      }
      #expect(End(ThrowableTask<Int>.fromAsync { throw TaskigError.timedOut }.awaitResult()) == .timedOut)
    }
  }

  @Test func `each await runs the code again, also several at once`() throws {
    try withDeadline { () throws in
      let runs = Counter()
      let task = Task.fromAsync { runs.increment() }
      #expect(task.await() == 1)
      #expect(task.await() == 2)
      #expect(Set(Array(repeating: task, count: 20).awaitAll()) == Set(3...22))
      let waiting = (0..<5).map { _ in Aside { task.await() } }
      #expect(Set(waiting.compactMap { $0.result() }) == Set(23...27))
    }
  }

  @Test func `it starts with start and async, and nobody need wait for it`() throws {
    try withDeadline { () throws in
      let runs = Counter()
      let shared = ThrowableTask.fromAsync { runs.increment() }.start()
      #expect(try [shared.await(), shared.await()] == [1, 1])
      let five = Task.fromAsync { 5 }.start()
      #expect(try five.map { $0 + 1 }.await() == 6)

      let heard = Steps<End>()
      ThrowableTask<Int>.fromAsync { throw Failed() }.async { heard.note(End($0)) }
      #expect(eventually { heard.all == [.failed] })
      Task.fromAsync { runs.increment() }.async()
      #expect(eventually { runs.value == 2 })
    }
  }

  @Test func `it takes part in collections and operators like any other task`() throws {
    try withDeadline { () throws in
      let tasks = (0..<100).map { i in
        ThrowableTask<Int>.fromAsync {
          await _Concurrency.Task.yield()
          return i
        }
      }
      #expect(try tasks.awaitAll(concurrency: 3) == Array(0..<100))
      #expect(try (0..<100).contains(tasks.awaitFirst()))
      let chain = tasks[7].map { $0 * 2 }.flatMap { i in ThrowableTask.fromAsync { i + 1 } }
      #expect(try chain.await() == 15)
      let failing = ThrowableTask<Int>.fromAsync { throw Failed() }
      #expect(try failing.recover { _ in 3 }.await() == 3)
      let (one, two) = awaitAll(Task.fromAsync { 1 }, Task.fromAsync { "two" })
      #expect("\(one) \(two)" == "1 two")
    }
  }

  @Test func `at most as many runs as allowed are in flight in a collection`() throws {
    try withDeadline { () throws in
      let running = Counter()
      let tasks = (0..<40).map { _ in
        Task.fromAsync {
          running.increment()
          for _ in 0..<5 { await _Concurrency.Task.yield() }
          running.decrement()
        }
      }
      tasks.awaitAll(concurrency: 4)
      #expect(running.peak <= 4 && running.value == 0)
    }
  }

  @Test func `a result need not be Sendable`() throws {
    try withDeadline { () throws in
      #expect(Task.awaitAsync { Notebook() }.lines == ["first"])
      #expect(try ThrowableTask.fromAsync { Notebook() }.await().lines == ["first"])
      #expect(Array(repeating: Task.fromAsync { Notebook() }, count: 3).awaitAll().count == 3)
    }
  }

  @Test func `an actor's calls come one after the other, from however many runs`() throws {
    try withDeadline { () throws in
      let till = Till()
      let sums = (0..<200).map { _ in Task.fromAsync { await till.add(1) } }.awaitAll()
      #expect(Set(sums) == Set(1...200))
    }
  }

  @Test func `a thousand that suspend at once need no thread each`() async {
    // In a process of its own, where no other test has threads of its own.
    await #expect(processExitsWith: .success) {
      exitLate(after: 120)
      let before = Machine.threads
      let held = Held<Int>()
      let tasks = (0..<1_000).map { _ in ThrowableTask<Int>.fromAsync { try await held.outcome().get() } }
      let waiting = Aside { try? tasks.awaitAll(concurrency: .max) }
      guard held.hasBegun(1_000) else { exit(1) }
      // A thread each would stay; those that a busy machine has had brought to begin them end after some seconds.
      if let before, !Machine.comesDown(toThreads: before + 699) { exit(2) }
      held.release(.success(1))
      guard waiting.result() == Array(repeating: 1, count: 1_000) else { exit(3) }
    }
  }

  @Test func `nothing is kept alive when a run is done, or when nobody runs the task`() throws {
    try withDeadline { () throws in
      let population = Population()
      do {
        let member = population.member()
        let task = Task.fromAsync { withExtendedLifetime(member) { 1 } }
        _ = (task, ThrowableTask.fromAsync { withExtendedLifetime(member) { 1 } })
      }
      #expect(population.hasDied(), "tasks that never ran")
      do {
        let member = population.member()
        let code: @Sendable () async throws -> Int = {
          await _Concurrency.Task.yield()
          return withExtendedLifetime(member) { 1 }
        }
        let task = ThrowableTask.fromAsync(code)
        #expect(try [task.await(), task.await(timeout: .seconds(60)), task.start().await()] == [1, 1, 1])
        #expect(try [task, task].awaitAll() == [1, 1])
        #expect(Task<Int> { (try? ThrowableTask.awaitAsync(code)) ?? 0 }.await() == 1)
        let heard = Gate()
        task.async { _ in heard.open() }
        #expect(heard.pass())
      }
      #expect(population.hasDied(), "tasks that ran: \(population.count)")
    }
  }

  @Test func `a value is let go of when nobody has it any more`() throws {
    try withDeadline { () throws in
      let population = Population()
      do {
        let value = Task.awaitAsync { population.member() }
        #expect(population.count == 1)
        withExtendedLifetime(value) {}
      }
      #expect(population.hasDied())
    }
  }
}
