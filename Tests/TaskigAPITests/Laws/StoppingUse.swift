import Foundation
import Taskig
import Testing

/// What stops early, as a user of either language mode writes it.
@Suite struct StoppingUse {
  private struct Refusal: Error, Equatable {
    let number: Int
  }

  /// A task that completes only when it is cancelled, if at all.
  private static func endless() -> ThrowableTask<Int> {
    ThrowableTask<Int> { completion in
      Task.onCancel { completion(.success(-1)) }
    }
  }

  /// A plain conformer of a user's own whose action ends when it is called off.
  private struct Patience: TaskType {
    func action(completion: @escaping @Sendable (Int) -> Void) {
      var naps = 0
      while !Task.isCancelled {
        naps += 1
        // So that the thread does not spin while it waits for the timeout.
        Thread.sleep(forTimeInterval: 0.001)
      }
      completion(naps)
    }
  }

  @Test func `a timeout ends the await of every kind of task`() async throws {
    let (plain, thrown, result) = try await withDeadline("timeouts") { () -> (Int?, TaskigError?, Bool) in
      let plain = Patience().await(timeout: .milliseconds(20))
      var thrown: TaskigError?
      do { try Self.endless().await(timeout: .milliseconds(20)) } catch let error as TaskigError { thrown = error }
      let inTime = ThrowableTask { 1 }.awaitResult(timeout: .seconds(60))
      return (plain, thrown, (try? inTime.get()) == 1)
    }
    #expect(plain == nil)
    #expect(thrown == .timedOut)
    #expect(result)
  }

  @Test func `code inside a task sees that it is cancelled, and can stop`() async throws {
    let outcome = try await withDeadline("checks") { () -> String in
      let started = Gate()
      let task = ThrowableTask { () throws -> Int in
        started.open()
        while true {
          try Task.checkCancellation()
          // The other way to notice, and so that the loop does not spin.
          try Task.sleep(for: .milliseconds(1))
        }
      }
      Task.async {
        started.pass()
        task.cancel()
      }
      do { return "\(try task.await())" } catch { return "\(error)" }
    }
    #expect(outcome == "taskWasCancelled")
  }

  @Test func `outside of any task nothing is cancelled`() async throws {
    let isCancelled = try await withDeadline("outside") { () throws -> Bool in
      try Task.checkCancellation()
      // Of no length: it is what is tested here, and throws nothing.
      try Task.sleep(for: .zero)
      return Task.isCancelled
    }
    #expect(!isCancelled)
  }

  @Test func `tasks of different types are awaited together`() async throws {
    let (values, thrown) = try await withDeadline("packs") { () throws -> (String, Refusal?) in
      let (name, age) = awaitAll(Task { "Ada" }, Task { 36 })
      let (one, none, list) = try awaitAll(
        ThrowableTask { 1 }, ThrowableTask<Int?> { nil }, Task { ["a", "b"] }.throwableTask)
      var thrown: Refusal?
      do {
        _ = try awaitAll(ThrowableTask { 1 }, ThrowableTask<String> { throw Refusal(number: 2) })
      } catch let error as Refusal {
        thrown = error
      }
      return ("\(name) \(age) \(one) \(none as Any) \(list)", thrown)
    }
    #expect(values == #"Ada 36 1 nil ["a", "b"]"#)
    #expect(thrown == Refusal(number: 2))
  }

  @Test func `the first success is found, or all errors are told with their places`() async throws {
    let (found, indices, keys) = try await withDeadline("successes") { () throws -> (Int, [Int], [String]) in
      let tasks = (0..<3).map { number in
        ThrowableTask<Int> {
          guard number == 2 else { throw Refusal(number: number) }
          return number
        }
      }
      let found = try tasks.awaitFirstSuccess()
      var indices: [Int] = []
      do { try tasks.prefix(2).awaitFirstSuccess() } catch let error as AggregateError<Int> {
        indices = error.errors.filter { ($0.value as? Refusal)?.number == $0.key }.keys.sorted()
      }
      var keys: [String] = []
      do { try ["a": tasks[0], "b": tasks[1]].awaitFirstSuccess() } catch let error as AggregateError<String> {
        keys = error.errors.keys.sorted()
      }
      return (found, indices, keys)
    }
    #expect(found == 2)
    #expect(indices == [0, 1])
    #expect(keys == ["a", "b"])
  }

  @Test func `collections take a timeout, on sequences and dictionaries`() async throws {
    let outcome = try await withDeadline("collections") { () throws -> [Bool] in
      let quick = ThrowableTask { 1 }
      let slow = Self.endless()
      // Long enough for what is quick, on a busy machine too.
      let some = [quick, slow].awaitAllResults(timeout: .seconds(2))
      let keyed = ["quick": quick, "slow": slow].awaitAllResults(timeout: .seconds(2))
      return [
        [Task { 1 }, Task { 2 }].awaitAll(timeout: .seconds(60)) ?? [] == [1, 2],
        [Patience()].awaitAll(timeout: .milliseconds(20)) == nil,
        [Patience()].awaitFirst(timeout: .milliseconds(20)) == nil,
        try [quick, slow].awaitFirst(timeout: .seconds(60)) == 1,
        try ["quick": quick, "slow": slow].awaitFirstSuccess(timeout: .seconds(60)) == 1,
        (try? some[0].get()) == 1 && (try? some[1].get()) == nil,
        (try? keyed["quick"]?.get()) == 1 && keyed.count == 2,
      ]
    }
    #expect(outcome == Array(repeating: true, count: 7))
  }

  @Test func `a task is awaited from async code without a blocked thread`() async throws {
    let number = await Task { 6 * 7 }.value
    let text = try await ThrowableTask { "text" }.value
    // One that does not look: what looks may have its value there before the wait has ended.
    let gate = Gate()
    let deaf = Task<Int> {
      gate.pass()
      return 1
    }
    let own = await deaf.throwableTask.result(cancelledAfter: 0.02)
    gate.open()
    #expect(number == 42)
    #expect(text == "text")
    #expect(own == "taskWasCancelled")
  }

  @Test func `cancelling Swift's task cancels the run that it awaits`() async throws {
    let started = Gate()
    let ended = Gate()
    let swift = _Concurrency.Task {
      await ThrowableTask<Int> { completion in
        Task.onCancel { ended.open() }
        started.open()
        // Never completed, but not dropped either: the handler that was registered first would keep it from that.
        Task.onCancel { withExtendedLifetime(completion) {} }
      }.result
    }
    // Swift's pool is full of other suites' tests for a while, when they block and a sanitizer slows them down.
    try await withDeadline("cancelling", seconds: 300) {
      started.pass()
      swift.cancel()
      ended.pass()
    }
    let result = await swift.value
    #expect(throws: CancellableTaskError.taskWasCancelled) { try result.get() }
  }
}

extension StoppingUse {
  @Test func `where Swift's task is cancelled already, the action does not run`() async {
    for _ in 0..<200 {
      let runs = Shared(0)
      let swift = _Concurrency.Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await ThrowableTask { runs.withLock { $0 += 1 } }.result
      }
      let result = await swift.value
      #expect(throws: CancellableTaskError.taskWasCancelled) { try result.get() }
      #expect(runs.current == 0)
    }
  }
}

extension ThrowableTask {
  /// What the task ends with when it is cancelled after so many seconds.
  fileprivate func result(cancelledAfter seconds: TimeInterval) async -> String {
    Task.async(delayBy: seconds) { cancel() }
    do { return "\(try await value)" } catch { return "\(error)" }
  }
}
