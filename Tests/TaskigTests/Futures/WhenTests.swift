import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Many cold tasks as one.
struct WhenTests {
  @Test func `all results come in the order of the sequence`() throws {
    try withDeadline { () throws in
      for limit in [1, 2, 7, 50, .max] {
        let plain = (0..<100).map { i in Task(executionQueue: i % 3 == 0 ? .utility : .taskDefault) { i } }
        #expect(plain.whenAll(concurrency: limit).await() == Array(0..<100))
        let throwing = (0..<100).map { i in
          ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
            if i % 2 == 0 { return completion(.success(i)) }
            DispatchQueue.global().async { completion(.success(i)) }
          }
        }
        #expect(try throwing.whenAll(concurrency: limit).await() == Array(0..<100))
        #expect(try throwing.whenAllResults(concurrency: limit).await().values() == Array(0..<100))
        let own = (0..<10).map { i in OwnTask { i } }
        #expect(try own.whenAll(concurrency: limit).await() == Array(0..<10))
      }
    }
  }

  @Test func `none of no tasks, and one of one`() throws {
    try withDeadline { () throws in
      #expect([Task<Int>]().whenAll().await() == [])
      #expect(try [ThrowableTask<Int>]().whenAll().await() == [])
      #expect(try [ThrowableTask<Int>]().whenAllResults().await().isEmpty)
      #expect(throws: TaskigError.emptySequence) { try [ThrowableTask<Int>]().whenAny().await() }
      #expect(throws: TaskigError.emptySequence) { try [ThrowableTask<Int>]().whenAnySuccess().await() }
      #expect([Task { 1 }].whenAny().await() == 1)
      #expect(try [ThrowableTask { 1 }].whenAny().await() == 1)
      #expect(try [ThrowableTask { 1 }].whenAnySuccess().await() == 1)
    }
  }

  @Test func `they are cold, and run with each await`() throws {
    try withDeadline { () throws in
      let runs = Counter()
      let tasks = (0..<5).map { _ in ThrowableTask { runs.increment() } }
      let all = tasks.whenAll()
      #expect(runs.value == 0)
      try all.await()
      try all.await()
      #expect(runs.value == 10)
    }
  }

  @Test func `no more are in flight than the limit says`() throws {
    try withDeadline {
      let running = Counter()
      let held = Held<Int>()
      let tasks = (0..<20).map { _ in
        ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
          running.increment()
          held.hold { result in
            running.decrement()
            completion(result)
          }
        }
      }
      let end = Aside { tasks.whenAll(concurrency: 4).awaitResult() }
      for round in 1...5 {
        #expect(held.hasBegun(4 * round))
        #expect(running.value == 4)
        held.release(.success(1))
      }
      #expect(end.result().flatMap { try? $0.get() } == Array(repeating: 1, count: 20))
      #expect(running.peak == 4)
    }
  }

  @Test func `fifty is the limit unless another is given`() throws {
    try withDeadline {
      let held = Held<Int>()
      let end = Aside { (0..<60).map { _ in held.task() }.whenAll().awaitResult() }
      #expect(held.hasBegun(50))
      let others = Aside { (0..<60).map { _ in held.task() }.whenAll(concurrency: .max).awaitResult() }
      #expect(held.hasBegun(110))
      #expect(held.count == 110)
      held.release(.success(1))
      #expect(held.hasBegun(120))
      held.complete(.success(1))
      #expect(end.result() != nil && others.result() != nil)
    }
  }

  @Test func `the first failure is that of all, and cancels the others and waits for them`() throws {
    try withDeadline {
      let (held, cancellations, runs) = (Held<Int>(), Counter(), Counter())
      let action: @Sendable (@escaping Held<Int>.Complete) -> Void = { completion in
        Task.onCancel {
          cancellations.increment()
          completion(.failure(CancellableTaskError.taskWasCancelled))
        }
        held.hold(completion)
      }
      let failing = Held<Int>()
      let tasks = [ThrowableTask<Int>(action: action), failing.task(), ThrowableTask<Int>(action: action)]
      let never = (0..<5).map { _ in ThrowableTask { runs.increment() } }
      let end = Aside { End((tasks + never).whenAll(concurrency: 3).map { _ in 1 }.awaitResult()) }
      #expect(held.hasBegun(2) && failing.hasBegun())
      failing.complete(.failure(Failed()))
      #expect(end.result() == .failed)
      #expect(cancellations.value == 2 && runs.value == 0)
      held.drop()
    }
  }

  @Test func `the results of all stop at no failure`() throws {
    try withDeadline { () throws in
      let tasks = (0..<20).map { i in
        ThrowableTask<Int> {
          if i % 4 == 0 { throw Failed(number: i) }
          return i
        }
      }
      tasks[5].cancel()
      let results = try tasks.whenAllResults(concurrency: 3).await()
      #expect(results.map(End.init) == (0..<20).map { $0 == 5 ? .cancelled : $0 % 4 == 0 ? .failed : .value($0) })
      let error = #expect(throws: AggregateError<Int>.self) { try results.values() }
      #expect(error.map { Set($0.errors.keys) } == [0, 4, 5, 8, 12, 16])
      #expect(error?.errors[8] as? Failed == Failed(number: 8))
    }
  }

  @Test func `values gives all values or all errors, each under its index`() throws {
    let good: [TaskResult<Int>] = [.success(1), .success(2)]
    #expect(try good.values() == [1, 2])
    #expect(try [TaskResult<Int>]().values() == [])
    let mixed = good + [.failure(Failed(number: 3)), .success(4), .failure(Failed(number: 5))]
    let error = #expect(throws: AggregateError<Int>.self) { try mixed.values() }
    #expect(error?.errors as? [Int: Failed] == [2: Failed(number: 3), 4: Failed(number: 5)])
    #expect(try AnySequence(good).values() == [1, 2])
  }

  @Test func `the first that is done is the first, and the others are cancelled`() throws {
    try withDeadline {
      let (slow, fast, cancellations) = (Held<Int>(), Held<Int>(), Counter())
      let other = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        Task.onCancel { cancellations.increment() }
        slow.hold(completion)
      }
      for result in [TaskResult.success(7), .failure(Failed())] {
        let before = cancellations.value
        let end = Aside { End([other, fast.task(), other].whenAny().awaitResult()) }
        #expect(slow.hasBegun(2 + before) && fast.hasBegun(1 + before / 2))
        fast.complete(result)
        #expect(end.result() == End(result))
        #expect(eventually { cancellations.value == before + 2 })
        fast.drop()
      }
      slow.drop()
      let plain = Held<Int>()
      let waiting = Task<Int> { completion in plain.hold { if case .success(let value) = $0 { completion(value) } } }
      #expect([waiting, Task { 2 }].whenAny().await() == 2)
      plain.complete(.success(1))
    }
  }

  @Test func `the first that succeeds is the first, or else there are all errors`() throws {
    try withDeadline {
      let failing = (0..<4).map { i in ThrowableTask<Int> { throw Failed(number: i) } }
      let held = Held<Int>()
      let end = Aside { End((failing + [held.task()]).whenAnySuccess(concurrency: 2).awaitResult()) }
      #expect(held.hasBegun())
      held.complete(.success(8))
      #expect(end.result() == .value(8))
      let error = #expect(throws: AggregateError<Int>.self) { try failing.whenAnySuccess().await() }
      #expect(error?.errors as? [Int: Failed] == [0, 1, 2, 3].reduce(into: [:]) { $0[$1] = Failed(number: $1) })
    }
  }

  @Test func `cancelling the result cancels all that are in flight, and starts no more`() throws {
    try withDeadline {
      let (held, cancellations) = (Held<Int>(), Counter())
      let tasks = (0..<10).map { _ in
        ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
          Task.onCancel { cancellations.increment() }
          held.hold(completion)
        }
      }
      let results = [
        tasks.whenAll(concurrency: 3).map { _ in 1 }, tasks.whenAllResults(concurrency: 3).map { _ in 1 },
        tasks.whenAny(concurrency: 3), tasks.whenAnySuccess(concurrency: 3),
      ]
      for (count, result) in results.enumerated() {
        let end = Aside { End(result.awaitResult()) }
        #expect(held.hasBegun(3 * count + 3))
        result.cancel()
        #expect(end.result() == .cancelled)
        #expect(eventually { cancellations.value == 3 * count + 3 })
      }
      #expect(held.count == 12)
      held.drop()
    }
  }

  @Test func `they can be nested, and a hundred thousand be one`() throws {
    try withDeadline(120) { () throws in
      let nested = (0..<10).map { i in (0..<10).map { j in ThrowableTask { 10 * i + j } }.whenAll(concurrency: 2) }
      #expect(try nested.whenAll(concurrency: 2).await().flatMap { $0 } == Array(0..<100))
      let count = Machine.depth(100_000)
      let many = (0..<count).map { i in ThrowableTask { i } }.whenAll(concurrency: .max)
      #expect(try many.map { $0.count }.await() == count)
    }
  }

  @Test func `a concurrency of zero or less, or the first of no plain tasks, traps`() async {
    let results = [
      await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        _ = [Task<Int> { 1 }].whenAll(concurrency: 0)
      },
      await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        _ = [ThrowableTask { 1 }].whenAnySuccess(concurrency: -1)
      },
      await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        _ = [Task<Int>]().whenAny()
      },
    ]
    for (result, text) in zip(results, ["The concurrency is 0.", "The concurrency is -1.", "no tasks"]) {
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains(text) && said.contains("WhenTests.swift:"), "standard error was: \(said)")
    }
  }
}
