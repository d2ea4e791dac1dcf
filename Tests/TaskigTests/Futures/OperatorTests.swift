import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What the operators make of what a task ends with, on each kind of task.
struct OperatorTests {
  private static func number(_ error: any Error) -> Int { (error as? Failed)?.number ?? -1 }

  @Test func `map makes a value of the value, and fails with what its closure throws`() throws {
    try withDeadline {
      for task in Face.each({ 20 }) {
        #expect(task.map { $0 + 1 }.end() == .value(21))
        #expect(task.map { $0 + 1 }.map { $0 * 2 }.end() == .value(42))
        #expect(task.map { _ in throw Failed() }.end() == .failed)
      }
    }
  }

  @Test func `flatMap goes on with the task that is made of the value`() throws {
    try withDeadline {
      for task in Face.each({ 20 }) {
        #expect(task.flatMap { value in ThrowableTask { value + 1 } }.end() == .value(21))
        #expect(task.flatMap { value in ThrowableTask { value + 1 }.start() }.end() == .value(21))
        #expect(task.flatMap { value in OwnTask { value + 1 } }.end() == .value(21))
        #expect(task.flatMap(plainly: { value in Task { value + 1 } }).end() == .value(21))
        #expect(task.flatMap(plainly: { value in OwnPlainTask { value + 1 } }).end() == .value(21))
        #expect(task.flatMap { _ in ThrowableTask<Int> { throw Failed() } }.end() == .failed)
        #expect(task.flatMap { _ -> ThrowableTask<Int> in throw Failed() }.end() == .failed)
        #expect(task.flatMap(plainly: { _ -> Task<Int> in throw Failed() }).end() == .failed)
      }
    }
  }

  @Test func `mapError makes an error of the error`() throws {
    try withDeadline {
      for task in Face.each({ throw Failed(number: 3) }) {
        let mapped = task.mapError { Failed(number: Self.number($0) + 1) }
        #expect(mapped.end() == .failed)
        #expect(mapped.recover { Self.number($0) }.end() == .value(4))
      }
    }
  }

  @Test func `recover makes a value of the error, or goes on with a task that is made of it`() throws {
    try withDeadline {
      for task in Face.each({ throw Failed(number: 3) }) {
        #expect(task.recover { Self.number($0) + 1 }.end() == .value(4))
        #expect(task.recover(with: { error in ThrowableTask { Self.number(error) + 1 } }).end() == .value(4))
        #expect(task.recover(with: { error in OwnTask { Self.number(error) + 1 } }).end() == .value(4))
        #expect(task.recover(withPlain: { error in Task { Self.number(error) + 1 } }).end() == .value(4))
        #expect(task.recover { _ in throw TaskigError.timedOut }.end() == .timedOut)
        #expect(task.recover(with: { _ -> ThrowableTask<Int> in throw TaskigError.timedOut }).end() == .timedOut)
        #expect(task.recover(with: { _ in ThrowableTask<Int> { throw TaskigError.timedOut } }).end() == .timedOut)
        #expect(task.recover(withPlain: { _ -> Task<Int> in throw TaskigError.timedOut }).end() == .timedOut)
      }
    }
  }

  @Test func `a failure passes by the closures that are for values`() throws {
    try withDeadline {
      let calls = Counter()
      for task in Face.each({ throw Failed() }) {
        let end = task.map { _ in calls.increment() }
          .flatMap { _ in ThrowableTask { calls.increment() } }
          .flatMap(plainly: { _ in Task { calls.increment() } })
          .delay(for: .seconds(3_600))
          .end()
        #expect(end == .failed)
      }
      #expect(calls.value == 0)
    }
  }

  @Test func `a value passes by the closures that are for errors`() throws {
    try withDeadline {
      let calls = Counter()
      for task in Face.each({ 1 }) {
        let end = task.recover { _ in calls.increment() }
          .recover(with: { _ in ThrowableTask { calls.increment() } })
          .recover(withPlain: { _ in Task { calls.increment() } })
          .mapError { error in Failed(number: calls.increment()) }
          .end()
        #expect(end == .value(1))
      }
      #expect(calls.value == 0)
    }
  }

  @Test func `mapResult and flatMapResult see success, failure and cancellation alike`() throws {
    try withDeadline {
      let sources = [Face.each { 1 }, Face.each { throw Failed() }, Face.eachCancelled]
      let ends: [End] = [.value(1), .failed, .cancelled]
      for (tasks, expected) in zip(sources, ends) {
        for task in tasks {
          let seen = Steps<End>()
          let note: @Sendable (TaskResult<Int>) -> Int = { result in
            seen.note(End(result))
            return 7
          }
          #expect(task.mapResult(note).end() == .value(7))
          #expect(
            task.flatMapResult { result in ThrowableTask<Int> { [value = note(result)] in value } }.end() == .value(7))
          #expect(seen.all == [expected, expected])
          #expect(task.mapResult { _ in throw Failed() }.end() == .failed)
          #expect(task.flatMapResult { _ -> ThrowableTask<Int> in throw Failed() }.end() == .failed)
          #expect(task.flatMapResult { _ in ThrowableTask<Int> { throw Failed() } }.end() == .failed)
        }
      }
    }
  }

  @Test func `always runs its closure once, and the outcome stays`() throws {
    try withDeadline {
      for task in Face.each({ 1 }) + Face.each({ throw Failed() }) {
        let runs = Counter()
        let end = task.always { runs.increment() }.end()
        #expect(end == task.end())
        #expect(runs.value == 1)
      }
    }
  }

  @Test func `plain tasks have map, flatMap and always`() throws {
    try withDeadline { () throws in
      func check<T: TaskType<Int>>(_ task: T) throws {
        let runs = Counter()
        #expect(task.map { "\($0)" }.await() == "20")
        #expect(task.map { $0 + 1 }.map { $0 * 2 }.await() == 42)
        #expect(task.flatMap { value in Task { value + 1 } }.await() == 21)
        #expect(task.flatMap { value in OwnPlainTask { value + 1 } }.await() == 21)
        #expect(try task.flatMap { value in ThrowableTask { value + 1 } }.await() == 21)
        #expect(try task.flatMap { value in ThrowableTask { value + 1 }.start() }.await() == 21)
        #expect(throws: Failed()) { try task.flatMap { _ -> ThrowableTask<Int> in throw Failed() }.await() }
        #expect(task.always { runs.increment() }.await() == 20)
        #expect(runs.value == 1)
      }
      try check(Task { 20 })
      try check(OwnPlainTask { 20 })
      try check(Task<Int> { completion in DispatchQueue.global().async { completion(20) } })
      try check(Task<Int>(executionQueue: .utility) { 20 })
    }
  }

  @Test func `a cold chain runs with each await, and not before`() throws {
    try withDeadline { () throws in
      let (runs, steps) = (Counter(), Counter())
      let cold = ThrowableTask<Int> { runs.increment() }
      let own = OwnTask { runs.increment() }
      let plain = Task<Int> { runs.increment() }
      let chains = [
        cold.map { $0 + steps.increment() }, own.map { $0 + steps.increment() },
        plain.map { $0 + steps.increment() }.throwableTask,
      ]
      #expect(runs.value == 0 && steps.value == 0)
      for round in 1...3 {
        for chain in chains { try chain.await() }
        #expect(runs.value == 3 * round && steps.value == 3 * round)
      }
      try (chains + chains).awaitAll()
      #expect(runs.value == 15 && steps.value == 15)
    }
  }

  @Test func `a shared task's chain runs once, awaited or not`() throws {
    try withDeadline { () throws in
      let (runs, steps) = (Counter(), Counter())
      let source = ThrowableTask<Int> { runs.increment() }.start()
      let chain = source.map { value in value + steps.increment() }.always { steps.increment() }
      for _ in 0..<3 { #expect(try chain.await() == 2) }
      #expect(runs.value == 1 && steps.value == 2)
      let unawaited = Gate()
      _ = source.always { unawaited.open() }
      #expect(unawaited.pass())
    }
  }

  @Test func `async hands the outcome of a chain over, once`() throws {
    try withDeadline {
      let held = Held<Int>()
      let (heard, calls) = (Gate(), Counter())
      held.task().map { $0 + 1 }.async { result in
        #expect(End(result) == .value(2))
        calls.increment()
        heard.open()
      }
      #expect(held.hasBegun())
      held.complete(.success(1), .success(5))
      #expect(heard.pass())
      #expect(calls.value == 1)
    }
  }

  @Test func `chains have a queue of no name, and can be awaited in collections`() throws {
    try withDeadline { () throws in
      let chains = (0..<100).map { i in ThrowableTask(executionQueue: .utility) { i }.map { $0 + 1 } }
      #expect(chains.allSatisfy { $0.executionQueue === DispatchQueue.taskDefault })
      #expect(try chains.awaitAll(concurrency: 3) == Array(1...100))
      let failing = chains.map { chain in chain.map { if $0 == 50 { throw Failed() } } }
      #expect(throws: Failed()) { try failing.awaitAll() }
      #expect(failing.awaitAllResults().filter { $0.isFailure }.count == 1)
      #expect((1...100).contains(try chains.awaitFirst()))
    }
  }
}
