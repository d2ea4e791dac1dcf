import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Tasks that are run again when they fail.
struct RetryTests {
  /// A task that fails until it has been run `failures` times, and then results in how often it was run.
  private static func failing(_ failures: Int, _ runs: Counter = Counter()) -> ThrowableTask<Int> {
    ThrowableTask {
      let run = runs.increment()
      if run <= failures { throw Failed(number: run) }
      return run
    }
  }

  @Test func `a task is run until it succeeds, and no more often`() throws {
    try withDeadline {
      for failures in 0..<5 {
        let runs = Counter()
        #expect(End(Self.failing(failures, runs).retry(attempts: 5).awaitResult()) == .value(failures + 1))
        #expect(runs.value == failures + 1)
      }
    }
  }

  @Test func `the error of the last attempt is that of all`() throws {
    try withDeadline {
      for attempts in 1...4 {
        let runs = Counter()
        let task = Self.failing(10, runs).retry(attempts: attempts)
        #expect(throws: Failed(number: attempts)) { try task.await() }
        #expect(runs.value == attempts)
      }
    }
  }

  @Test func `each await begins to count anew`() throws {
    try withDeadline {
      let runs = Counter()
      let task = Self.failing(.max, runs).retry(attempts: 3)
      for round in 1...3 {
        #expect(End(task.awaitResult()) == .failed)
        #expect(runs.value == 3 * round)
      }
      #expect([task, task].awaitAllResults().allSatisfy { End($0) == .failed })
      #expect(runs.value == 15)
    }
  }

  @Test func `the condition decides, on its queue, what is tried again`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      let (runs, asked) = (Counter(), Steps<Int>())
      let task = Self.failing(10, runs).retry(on: own.queue, attempts: 8) { error in
        let number = (error as? Failed)?.number ?? -1
        if own.nameHere() == "own" { asked.note(number) }
        return number < 3
      }
      #expect(throws: Failed(number: 3)) { try task.await() }
      #expect(runs.value == 3)
      #expect(asked.all == [1, 2, 3])
    }
  }

  @Test func `after the last attempt nobody is asked`() throws {
    try withDeadline {
      let asked = Counter()
      let task = Self.failing(10).retry(attempts: 3) { _ in asked.increment() > 0 }
      #expect(End(task.awaitResult()) == .failed)
      #expect(asked.value == 2)
    }
  }

  @Test func `the pause depends on the error and the number of failures, or there is no other attempt`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      let (runs, asked) = (Counter(), Steps<[Int]>())
      let task = Self.failing(10, runs).retry(on: own.queue, attempts: 8) { error, failures in
        let number = (error as? Failed)?.number ?? -1
        if own.nameHere() == "own" { asked.note([number, failures]) }
        return number < 3 ? .milliseconds(10 * failures) : nil
      }
      let time = ContinuousClock().measure { #expect(throws: Failed(number: 3)) { try task.await() } }
      #expect(time >= .milliseconds(30))
      #expect(runs.value == 3)
      #expect(asked.all == [[1, 1], [2, 2], [3, 3]])
    }
  }

  @Test func `whoever says how long to wait is not asked after the last attempt, nor after a success`() throws {
    try withDeadline {
      let asked = Counter()
      let pause: @Sendable (any Error, Int) -> Duration? = { _, _ in
        asked.increment()
        return .zero
      }
      #expect(End(Self.failing(10).retry(attempts: 3, pausing: pause).awaitResult()) == .failed)
      #expect(asked.value == 2)
      #expect(End(Self.failing(1).retry(attempts: 3, pausing: pause).awaitResult()) == .value(2))
      #expect(asked.value == 3)
    }
  }

  @Test func `asynchronous, queued and user-defined tasks and chains are tried again too`() throws {
    try withDeadline {
      let runs = Counter()
      let callback = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        DispatchQueue.global().async {
          let run = runs.increment()
          completion(run % 3 == 0 ? .success(run) : .failure(Failed()))
        }
      }
      #expect(End(callback.retry(attempts: 5).awaitResult()) == .value(3))
      let own = OwnTask(on: .utility) {
        let run = runs.increment()
        if run % 3 == 0 { return run }
        throw Failed()
      }
      #expect(End(own.retry(attempts: 5).awaitResult()) == .value(6))
      let chain = ThrowableTask { 1 }.flatMap { _ in callback }.map { $0 * 10 }
      #expect(End(chain.retry(attempts: 5).awaitResult()) == .value(90))
      #expect(End(chain.retry(attempts: 2).retry(attempts: 2).map { $0 + 1 }.awaitResult()) == .value(121))
      let dropping = ThrowableTask<Int> { (_: @escaping Held<Int>.Complete) in runs.increment() }
      #expect(End(dropping.retry(attempts: 3).awaitResult()) == .lost)
      #expect(runs.value == 15)
    }
  }

  @Test func `a task that was not done in time is tried again`() throws {
    try withDeadline {
      let (held, attempts) = (Held<Int>(), Counter())
      // Counted outside of the timeout: on a busy machine the time may be up before what is in it has begun.
      let task = ThrowableTask { attempts.increment() }.flatMap { _ in held.task().timeout(.milliseconds(20)) }
        .retry(attempts: 4).recover { _ in 9 }
      #expect(End(task.awaitResult()) == .value(9))
      #expect(attempts.value == 4)
      #expect(End(held.task().timeout(.milliseconds(20)).retry(attempts: 2).awaitResult()) == .timedOut)
      held.drop()
    }
  }

  @Test func `there is a pause before each new attempt`() throws {
    try withDeadline {
      let task = Self.failing(3).retry(attempts: 4, backoff: .constant(.milliseconds(10)))
      let time = ContinuousClock().measure { #expect(End(task.awaitResult()) == .value(4)) }
      #expect(time >= .milliseconds(30))
      let negative = Self.failing(3).retry(attempts: 4, backoff: .constant(.seconds(-1)))
      #expect(End(negative.awaitResult()) == .value(4))
      let growing = Self.failing(3).retry(
        attempts: 4, backoff: .exponential(from: .milliseconds(2), factor: 2, jitter: 0))
      let growingTime = ContinuousClock().measure { #expect(End(growing.awaitResult()) == .value(4)) }
      #expect(growingTime >= .milliseconds(14))
    }
  }

  @Test func `cancelling the result ends a pause at once, and nothing runs any more`() throws {
    try withDeadline {
      let (runs, paused) = (Counter(), Gate())
      let task = Self.failing(10, runs).retry(attempts: 4, backoff: .constant(.seconds(3_600))) { _ in
        paused.open()
        return true
      }
      let (end, shared) = (Aside { End(task.awaitResult()) }, task.start())
      #expect(paused.pass() && eventually { runs.value == 2 })
      task.cancel()
      #expect(end.result() == .cancelled && End(shared.awaitResult()) == .cancelled)
      #expect(runs.value == 2)
    }
  }

  @Test func `cancelling it ends the attempt that runs`() throws {
    try withDeadline {
      let held = Held<Int>()
      let cancellations = Counter()
      let source = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        Task.onCancel { cancellations.increment() }
        held.hold(completion)
      }
      let task = source.recover { _ in throw Failed() }.retry(attempts: 100)
      let end = Aside { End(task.awaitResult()) }
      for attempt in 1...3 {
        #expect(held.hasBegun(attempt))
        held.release(.failure(Failed()))
      }
      #expect(held.hasBegun(4))
      task.cancel()
      #expect(end.result() == .cancelled)
      #expect(cancellations.value == 1 && held.count == 4)
      held.drop()
    }
  }

  @Test func `a cancelled task is not tried again`() throws {
    try withDeadline {
      let (runs, asked) = (Counter(), Counter())
      for error in [CancellableTaskError.taskWasCancelled as any Error, CancellationError()] {
        let task = ThrowableTask<Int> {
          runs.increment()
          throw error
        }.retry(attempts: 5) { _ in asked.increment() > 0 }
        #expect(task.awaitResult().isCancelled)
      }
      #expect(runs.value == 2 && asked.value == 0)
      let source = Self.failing(10, runs)
      source.cancel()
      #expect(End(source.retry(attempts: 5).awaitResult()) == .cancelled)
      #expect(runs.value == 2)
    }
  }

  @Test func `cancelled by its own condition, a task is not tried again`() throws {
    try withDeadline {
      let runs = Counter()
      let task = Box<ThrowableTask<Int>?>(nil)
      task.value = Self.failing(10, runs).retry(attempts: 5) { _ in
        task.value?.cancel()
        return true
      }
      let end = task.value.map { End($0.awaitResult()) }
      #expect(end == .cancelled)
      #expect(runs.value == 1)
      task.value = nil
    }
  }

  @Test func `a task may be tried a hundred thousand times, at once or later`() throws {
    try withDeadline(120) {
      let attempts = Machine.depth(100_000)
      #expect(End(Self.failing(attempts - 1).retry(attempts: attempts).awaitResult()) == .value(attempts))
      let runs = Counter()
      let later = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        DispatchQueue.global().async {
          let run = runs.increment()
          completion(run < attempts / 10 ? .failure(Failed()) : .success(run))
        }
      }
      #expect(End(later.retry(attempts: .max).awaitResult()) == .value(max(1, attempts / 10)))
    }
  }

  @Test func `less than one attempt traps`() async {
    for said in [
      await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        _ = ThrowableTask { 1 }.retry(attempts: 0)
      },
      await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        _ = OwnTask { 1 }.retry(attempts: .min)
      },
    ] {
      let text = String(decoding: said?.standardErrorContent ?? [], as: UTF8.self)
      for part in ["RetryTests.swift:", "to be attempted", "never run", "Pass 1"] {
        #expect(text.contains(part), "standard error was: \(text)")
      }
    }
  }
}
