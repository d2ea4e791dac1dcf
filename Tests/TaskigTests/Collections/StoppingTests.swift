import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What a collection does with the other tasks when one decides it.
struct StoppingTests {
  private static let failing = ThrowableTask<Int> { throw Failed(number: 1) }

  @Test func `a failure cancels what runs, which is waited for, and the first failure is thrown`() throws {
    try withDeadline {
      for queue in [DispatchQueue.utility, DispatchQueue(label: "own", attributes: .concurrent)] {
        let steps = Steps<String>()
        let begun = Gate()
        let slow = ThrowableTask<Int>(executionQueue: queue) {
          begun.open()
          steps.note("sees \(eventually { Task.isCancelled })")
          steps.note("ends")
          throw Failed(number: 2)
        }
        let failing = ThrowableTask<Int>(executionQueue: queue) {
          begun.pass()
          throw Failed(number: 1)
        }
        #expect(throws: Failed(number: 1)) { try [slow, failing].awaitAll() }
        steps.note("returned")
        #expect(steps.all == ["sees true", "ends", "returned"])
      }
    }
  }

  @Test func `a failure ends what runs, by its handler, in its sleep and in its awaits`() throws {
    try withDeadline {
      for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own")] {
        let held = Held<Int>()
        let begun = Meeting(of: 4)
        let callback = ThrowableTask<Int>(executionQueue: queue) { (completion: @escaping Held<Int>.Complete) in
          Task.onCancel { completion(.success(1)) }
          DispatchQueue.global().async { _ = begun.join() }
        }
        let sleeping = ThrowableTask { () throws -> Int in
          _ = begun.join()
          try Task.sleep(for: .seconds(3_600))
          return 1
        }
        let awaiting = ThrowableTask { () throws -> Int in
          _ = begun.join()
          return try held.task(on: queue).await()
        }
        let failing = ThrowableTask<Int> {
          _ = begun.join()
          throw Failed(number: 1)
        }
        #expect(throws: Failed(number: 1)) { try [callback, sleeping, awaiting, failing].awaitAll() }
        held.drop()
      }
    }
  }

  @Test func `after a failure nothing more starts`() throws {
    try withDeadline {
      for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own"), .utility] {
        let runs = Counter()
        let failing = ThrowableTask<Int>(executionQueue: queue) { throw Failed(number: 1) }
        let others = (0..<20).map { _ in ThrowableTask<Int>(executionQueue: queue) { runs.increment() } }
        #expect(throws: Failed(number: 1)) { try ([failing] + others).awaitAll(concurrency: 1) }
        #expect(throws: Failed(number: 1)) { try ([failing] + others).awaitFirst(concurrency: 1) }
        #expect(runs.value == 0)
        let later = ThrowableTask<Int>(executionQueue: queue) { (completion: @escaping Held<Int>.Complete) in
          DispatchQueue.global().async { completion(.failure(Failed(number: 2))) }
        }
        #expect(throws: Failed(number: 2)) { try ([later] + others).awaitAll(concurrency: 1) }
        #expect(runs.value == 0)
      }
    }
  }

  @Test func `losers of a race see that they have lost, and are not waited for`() throws {
    try withDeadline {
      let begun = Meeting(of: 2)
      let goOn = Gate()
      let seen = Steps<Bool>()
      let loser = Task<Int> {
        _ = begun.join()
        goOn.pass()
        seen.note(eventually { Task.isCancelled })
        return 2
      }
      let winner = Task<Int> {
        _ = begun.join()
        return 1
      }
      // The loser goes on only when the race is over: it is not waited for.
      #expect([loser, winner].awaitFirst() == 1)
      goOn.open()
      #expect(eventually { !seen.all.isEmpty })
      #expect(seen.all == [true])
    }
  }

  @Test func `the first success passes over failures`() throws {
    try withDeadline { () throws in
      let later = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        DispatchQueue.global().async { completion(.success(3)) }
      }
      let cancelled = ThrowableTask { 9 }
      cancelled.cancel()
      let dropping = ThrowableTask<Int> { (_: @escaping Held<Int>.Complete) in }
      for limit in [1, 2, .max] {
        #expect(try [Self.failing, cancelled, dropping, later].awaitFirstSuccess(concurrency: limit) == 3)
        #expect(try ["a": Self.failing, "b": later].awaitFirstSuccess(concurrency: limit) == 3)
      }
      let runs = Counter()
      let counting = ThrowableTask<Int> { runs.increment() }
      #expect(try [Self.failing, counting, counting, counting].awaitFirstSuccess(concurrency: 1) == 1)
      #expect(runs.value == 1)
    }
  }

  @Test func `without a success the error has all errors, under index or key`() throws {
    try withDeadline {
      let tasks = (0..<12).map { i in ThrowableTask<Int> { throw Failed(number: i) } }
      let error = #expect(throws: AggregateError<Int>.self) { try tasks.awaitFirstSuccess(concurrency: 5) }
      let errors = try #require(error?.errors)
      #expect(errors.keys.sorted() == Array(0..<12))
      #expect(errors.allSatisfy { ($0.value as? Failed)?.number == $0.key })
      let text = "\(try #require(error))"
      #expect(text.contains("All 12 tasks failed") && text.contains("\n  0: ") && text.contains("\n  9: "))
      #expect(!text.contains("\n  10: ") && text.contains("and 2 more"))
      #expect(error.map { ($0 as any Error).localizedDescription } == text)

      let cancelled = ThrowableTask { 1 }
      cancelled.cancel()
      let keyed = ["a": Self.failing, "b": cancelled]
      let keyedError = #expect(throws: AggregateError<String>.self) { try keyed.awaitFirstSuccess() }
      let keyedErrors = try #require(keyedError?.errors)
      #expect(keyedErrors["a"] as? Failed == Failed(number: 1))
      #expect(keyedErrors["b"] as? CancellableTaskError == .taskWasCancelled)
      #expect("\(try #require(keyedError))".contains("\n  b: The task was cancelled."))
    }
  }

  @Test func `of none there is no first`() throws {
    try withDeadline {
      let none: [ThrowableTask<Int>] = []
      let noneKeyed: [String: ThrowableTask<Int>] = [:]
      #expect(throws: TaskigError.emptySequence) { try none.awaitFirst() }
      #expect(throws: TaskigError.emptySequence) { try none.awaitFirstSuccess() }
      #expect(throws: TaskigError.emptySequence) { try noneKeyed.awaitFirst() }
      #expect(throws: TaskigError.emptySequence) { try noneKeyed.awaitFirstSuccess() }
      let all = try none.awaitAll()
      let keyed = try noneKeyed.awaitAll()
      #expect(all.isEmpty && keyed.isEmpty && none.awaitAllResults().isEmpty)
    }
  }

  @Test func `different types together keep their places, and one failure fails them`() throws {
    try withDeadline {
      let own = DispatchQueue(label: "own")
      let (name, number, none, nested, empty): (String, Int, Int?, Int??, Void) = awaitAll(
        Task { "Ada" }, Task(executionQueue: own) { 36 }, Task<Int?> { nil }, Task<Int??> { .some(nil) }, Task {})
      #expect(name == "Ada" && number == 36 && none == nil && nested == .some(nil) && empty == ())
      let (text, ownValue, some) = try awaitAll(
        ThrowableTask { "a" }, OwnTask(on: own) { 2 }, ThrowableTask<String?> { "b" })
      #expect(text == "a" && ownValue == 2 && some == "b")
      #expect(throws: Failed(number: 1)) {
        try awaitAll(ThrowableTask { "a" }, Self.failing, ThrowableTask<Int?> { nil })
      }
      let cancelled = ThrowableTask { 1 }
      cancelled.cancel()
      #expect(throws: CancellableTaskError.taskWasCancelled) { try awaitAll(ThrowableTask { "a" }, cancelled) }
    }
  }

  @Test func `different types run at the same time, and a failure ends the others`() throws {
    try withDeadline {
      let meeting = Meeting(of: 3)
      let (a, b, c) = awaitAll(
        Task { meeting.join() }, Task(executionQueue: .utility) { meeting.join() ? 1 : 0 },
        Task(executionQueue: DispatchQueue(label: "own")) { meeting.join() ? "c" : "" })
      #expect(a && b == 1 && c == "c")
      let held = Held<Int>()
      let ending = ThrowableTask<String> { (completion: @escaping @Sendable (TaskResult<String>) -> Void) in
        Task.onCancel { completion(.success("ended")) }
        held.hold { _ in completion(.success("completed")) }
      }
      let failing = ThrowableTask<Int> {
        _ = held.hasBegun()
        throw Failed(number: 1)
      }
      #expect(throws: Failed(number: 1)) { try awaitAll(ending, failing) }
    }
  }

  @Test func `what is withdrawn from its line is let go`() throws {
    final class Token: Sendable {}
    try withDeadline { () throws in
      let hold = Gate()
      let queue = DispatchQueue(label: "blocked")
      weak var token: Token?
      queue.async { hold.pass() }
      let inLine = ThrowableTask<Int>(executionQueue: queue) { 1 }
      do {
        let made = Token()
        token = made
        let mapped = ThrowableTask<Int>(executionQueue: queue) { made === made ? 1 : 0 }
        #expect(throws: Failed.self) { try [mapped, inLine, ThrowableTask<Int> { throw Failed() }].awaitAll() }
      }
      hold.open()
      queue.sync {}
      #expect(eventually { token == nil })
    }
  }
}
