import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Values of any type through the steps of chains, plain tasks as throwing ones, and what chains are called in messages.
struct ChainValueTests {
  /// A value of `T` through each kind of chain, with each operator that can be.
  private static func through<T: Sendable>(_ value: T) throws -> [T] {
    let plain = Task<T> { completion in DispatchQueue.global().async { completion(value) } }
    let cold = ThrowableTask { value }
    let hot = TaskCompletionSource<T>()
    hot.set(value)
    let chain = cold.map { $0 }.flatMap { value in ThrowableTask { value } }.flatMap { value in Task { value } }
      .mapResult { try $0.get() }.flatMapResult { result in ThrowableTask { try result.get() } }
      .always {}.delay(for: .nanoseconds(1)).timeout(.seconds(60)).retry(attempts: 2)
    let shared = hot.task.map { $0 }.flatMap { value in Task { value } }.mapResult { try $0.get() }
      .always {}.delay(for: .nanoseconds(1)).timeout(.seconds(60))
    let recovered = ThrowableTask<T> { throw Failed() }.recover { _ in value }
    let again = ThrowableTask<T> { throw Failed() }.recover { _ in Task { value } }
    let pair = try cold.zip(plain.throwableTask).await()
    let all: SharedTask<[T]> = [shared, hot.task].whenAll()
    return try [
      plain.map { $0 }.flatMap { value in Task { value } }.always {}.delay(for: .nanoseconds(1)).await(),
      chain.await(), shared.await(), recovered.await(), again.await(), pair.0, pair.1,
      plain.throwableTask.map { $0 }.await(), plain.map { $0 }.throwableTask.start().await(),
      [cold, chain].whenAny().await(),
    ] + [plain, plain.map { $0 }].whenAll().await() + all.await()
  }

  @Test func `optional values, and optionals of optionals`() throws {
    try withDeadline { () throws in
      let count = 14
      #expect(try Self.through(Int?.none) == Array(repeating: nil, count: count))
      #expect(try Self.through(Int?.some(1)) == Array(repeating: 1, count: count))
      #expect(try Self.through(Int??.none) == Array(repeating: .none, count: count))
      #expect(try Self.through(Int??.some(.none)) == Array(repeating: .some(.none), count: count))
      #expect(try Self.through(Int???.some(.some(.none))) == Array(repeating: .some(.some(.none)), count: count))
      #expect(try Self.through([Int?.none, 2]) == Array(repeating: [nil, 2], count: count))
      #expect(try Self.through([Int: Int?]()) == Array(repeating: [:], count: count))
    }
  }

  @Test func `no value, errors, tuples, functions and results`() throws {
    try withDeadline { () throws in
      #expect(try Self.through(()).count == 14)
      #expect(try Self.through((1, Int?.none)).allSatisfy { $0.0 == 1 && $0.1 == nil })
      #expect(try Self.through({ @Sendable (x: Int) in x + 1 }).allSatisfy { $0(1) == 2 })
      #expect(try Self.through(Failed(number: 3)) == Array(repeating: Failed(number: 3), count: 14))
      #expect(try Self.through(Failed(number: 3) as any Error).allSatisfy { $0 is Failed })
      #expect(try Self.through(TaskResult<Int>.failure(Failed())).allSatisfy { End($0) == .failed })
      #expect(try Self.through(Int.self as any Any.Type).allSatisfy { $0 == Int.self })
      #expect(try Self.through(ThrowableTask { 4 }).map { try $0.await() } == Array(repeating: 4, count: 14))
    }
  }

  @Test func `values of no known type`() throws {
    try withDeadline { () throws in
      let values: [any Sendable] = [1, "a", Int?.none, Int??.some(nil), [Int?.none], ()]
      for value in values {
        let expected = "\(value)"
        let through = try Self.through(value)
        #expect(through.map { "\($0)" } == Array(repeating: expected, count: 14))
        #expect(through.allSatisfy { type(of: $0) == type(of: value) })
      }
      let any = Task { Int?.none as Any }.map { $0 }.flatMap { value in
        Task { [value = UncheckedTransfer(value)] in value.value }
      }
      #expect(any.await() as? Int? == .some(nil))
    }
  }

  @Test func `a plain chain becomes a throwing one, which can be cancelled`() throws {
    try withDeadline { () throws in
      let runs = Counter()
      let held = Held<Int>()
      let plain = Task<Int> { runs.increment() }.map { $0 * 10 }
      let throwing = plain.throwableTask
      #expect(try throwing.await() == 10)
      #expect(try throwing.map { $0 + 1 }.await() == 21)
      #expect(try [plain].throwableTasks.awaitAll() == [30])
      throwing.cancel()
      #expect(throws: CancellableTaskError.taskWasCancelled) { try throwing.await() }
      #expect(plain.await() == 40)
      let waiting = Task<Int> { completion in held.hold { if case .success(let value) = $0 { completion(value) } } }
      let calls = Counter()
      let chain = waiting.map { $0 + calls.increment() }.throwableTask
      let end = Aside { End(chain.awaitResult()) }
      #expect(held.hasBegun())
      chain.cancel()
      #expect(end.result() == .cancelled)
      held.complete(.success(1))
      #expect(End(waiting.map { $0 }.throwableTask.timeout(.milliseconds(2)).awaitResult()) == .timedOut)
      held.complete(.success(1))
    }
  }

  @Test func `a chain with a name is the same chain`() throws {
    try withDeadline { () throws in
      let runs = Counter()
      let chain = ThrowableTask<Int> { runs.increment() }.map { $0 * 10 }
      let named = chain.named("tens")
      #expect(try named.await() == 10)
      #expect(try named.map { $0 + 1 }.await() == 21)
      #expect(Task<Int> { runs.increment() }.map { $0 * 10 }.named("tens").await() == 30)
      named.cancel()
      #expect(chain.isCancelled)
      #expect(throws: CancellableTaskError.taskWasCancelled) { try chain.await() }
    }
  }

  /// What the error of a task says that was lost.
  private static func lost(_ task: ThrowableTask<Int>) -> String {
    if case .failure(TaskigError.neverCompleted(let name)) = task.awaitResult() { name } else { "" }
  }

  @Test func `a task that is lost in a chain is called by its own name`() throws {
    try withDeadline {
      let lost = ThrowableTask<Int> { (_: @escaping Held<Int>.Complete) in }
      let line = #line - 1
      let place = "made at TaskigTests/ChainValueTests.swift:\(line)"
      #expect(Self.lost(lost.map { $0 }) == "The ThrowableTask<Int> \(place)")
      #expect(Self.lost(lost.named("source").map { $0 }.named("end")) == "The ThrowableTask<Int> “source” \(place)")
      #expect(Self.lost(ThrowableTask { 1 }.flatMap { _ in lost }) == "The ThrowableTask<Int> \(place)")
      #expect(Self.lost(ThrowableTask { 1 }.flatMap { _ in lost.named("next") }).contains("“next” \(place)"))
      #expect(Self.lost(lost.map { $0 }.timeout(.seconds(60))) == "The ThrowableTask<Int> \(place)")
      #expect(Self.lost(lost.timeout(.seconds(60))) == "The ThrowableTask<Int> \(place)")
      #expect(Self.lost(lost.retry(attempts: 2)) == "The ThrowableTask<Int> \(place)")
      #expect(Self.lost([ThrowableTask { 1 }, lost].whenAll().map { $0[0] }) == "The ThrowableTask<Int> \(place)")
      #expect(Self.lost(lost.zip(ThrowableTask { 1 }).map { $0.0 }) == "The ThrowableTask<Int> \(place)")
      let plain = Task<Int> { (_: @escaping @Sendable (Int) -> Void) in }
      let plainPlace = "made at TaskigTests/ChainValueTests.swift:\(#line - 1)"
      #expect(Self.lost(plain.throwableTask) == "The ThrowableTask<Int> \(plainPlace)")
      #expect(Self.lost(plain.map { $0 }.throwableTask) == "The Task<Int> \(plainPlace)")
      #expect(
        Self.lost(ThrowableTask { 1 }.flatMap { _ in plain.named("plain") }).contains("Task<Int> “plain” \(plainPlace)")
      )
      #expect(Self.lost(LosingTask().map { $0 }) == "The task LosingTask")
    }
  }

  @Test func `a plain one that is lost stops the program, and says so by its name`() async {
    let results = [
      await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        let lost = Task<Int> { (_: @escaping @Sendable (Int) -> Void) in }.named("lost")
        _ = blocking { lost.map { $0 + 1 }.await() }
      },
      await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        let lost = Task<Int> { completion in
          DispatchQueue.global().async { withExtendedLifetime(completion) {} }
        }.named("lost")
        _ = blocking { Task { 1 }.flatMap { _ in lost }.map { $0 + 1 }.named("end").await() }
      },
    ]
    for result in results {
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      for text in [
        "The Task<Int> “lost” made at TaskigTests/ChainValueTests.swift:", "never completed", "ThrowableTask",
      ] {
        #expect(said.contains(text), "standard error was: \(said)")
      }
      // The place of the trap, too, is one of the user's.
      #expect(said.hasPrefix("TaskigTests/ChainValueTests.swift:"), "standard error was: \(said)")
    }
  }
}

/// A task that lets go of its completion.
private struct LosingTask: ThrowableTaskType {
  func action(completion: @escaping @Sendable (TaskResult<Int>) -> Void) {}
}
