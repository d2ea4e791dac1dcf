import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Tasks of several types as one.
struct ZipTests {
  private static func later<T: Sendable>(_ value: T) -> ThrowableTask<T> {
    ThrowableTask<T> { (completion: @escaping @Sendable (TaskResult<T>) -> Void) in
      DispatchQueue.global().async { completion(.success(value)) }
    }
  }

  @Test func `two to five plain tasks give their results, each in its place`() throws {
    try withDeadline {
      let (number, text) = Task { 1 }.zip(Task { "a" }).await()
      #expect(number == 1 && text == "a")
      let three = Task { 1 }.zip(OwnPlainTask { 2 }, Task(executionQueue: .utility) { true }).await()
      #expect(three == (1, 2, true))
      let four = Task { 1.5 }.zip(Task { "b" }, Task<Int> { completion in completion(3) }, Task { [4] }).await()
      #expect(four == (1.5, "b", 3, [4]))
      let five = Task { 1 }.zip(Task { "b" }, Task { 3 }, Task { "d" }, Task { 5 }).await()
      #expect(five == (1, "b", 3, "d", 5))
      let own = OwnPlainTask { 1 }.zip(Task { "b" }).await()
      #expect(own == (1, "b"))
    }
  }

  @Test func `two to five throwing tasks give their values`() throws {
    try withDeadline { () throws in
      let two = try ThrowableTask { 1 }.zip(Self.later("a")).await()
      #expect(two == (1, "a"))
      let three = try OwnTask { 1 }.zip(Self.later("b"), ThrowableTask { true }.start()).await()
      #expect(three == (1, "b", true))
      let four = try Self.later(1).zip(Self.later("b"), Self.later(3), OwnTask { 4 }).await()
      #expect(four == (1, "b", 3, 4))
      let chain = ThrowableTask { 1 }.map { "\($0)" }
      let five = try chain.zip(Self.later(2).map { $0 + 1 }, OwnTask { 4 }, chain, Task { 5 }.throwableTask).await()
      #expect(five == ("1", 3, 4, "1", 5))
    }
  }

  @Test func `two to five shared tasks give their values, as a shared task`() throws {
    try withDeadline { () throws in
      let (number, text) = (TaskCompletionSource<Int>(), TaskCompletionSource<String>())
      let two: SharedTask<(Int, String)> = number.task.zip(text.task)
      text.set("a")
      #expect(!two.isCompleted)
      number.set(1)
      let again = try two.await()
      #expect(again == (1, "a"))
      let shared = Self.later(true).start()
      let three = try number.task.zip(text.task, shared).await()
      #expect(three == (1, "a", true))
      let four = try number.task.zip(text.task, shared, number.task).await()
      #expect(four == (1, "a", true, 1))
      let five = try number.task.zip(text.task, shared, number.task, text.task).await()
      #expect(five == (1, "a", true, 1, "a"))
    }
  }

  @Test func `values of any type come through as they are`() throws {
    try withDeadline { () throws in
      let none: Int? = nil
      let zipped = Task { none }.zip(
        Task {}, Task { (1, "b") }, Task { { (x: Int) in x + 1 } }, Task { Int??.some(nil) })
      let (optional, void, tuple, closure, nested): (Int?, Void, (Int, String), (Int) -> Int, Int??) = zipped.await()
      #expect(optional == nil && void == () && tuple == (1, "b") && closure(1) == 2 && nested == .some(nil))
      let any = Task { 5 as Any }.zip(Task { none as Any }, Task { Int.self as Any.Type }).await()
      #expect(any.0 as? Int == 5 && any.1 as? Int? == .some(nil) && any.2 == Int.self)
      let some: Int? = 3
      let throwing = try Self.later(none).zip(Self.later(some), Self.later(()), ThrowableTask { { 4 } }).await()
      #expect(throwing.0 == nil && throwing.1 == 3 && throwing.3() == 4)
      let shared = try Self.later(none).start().zip(Self.later(some).start(), Self.later(()).start()).await()
      #expect(shared.0 == nil && shared.1 == 3 && shared.2 == ())
    }
  }

  @Test func `all are in flight at once`() throws {
    try withDeadline { () throws in
      let all = Meeting(of: 5)
      let task = ThrowableTask(executionQueue: .utility) { all.join() }
      let joined = try task.zip(task, task, task, task).await()
      #expect(joined == (true, true, true, true, true))
    }
  }

  @Test func `the first failure is that of all, and cancels the others`() throws {
    try withDeadline {
      let (held, cancellations) = (Held<Int>(), Counter())
      let other = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        Task.onCancel {
          cancellations.increment()
          completion(.failure(CancellableTaskError.taskWasCancelled))
        }
        held.hold(completion)
      }
      let failing = Held<String>()
      let end = Aside { End(other.zip(failing.task(), other).map { $0.0 }.awaitResult()) }
      #expect(held.hasBegun(2) && failing.hasBegun())
      failing.complete(.failure(Failed()))
      #expect(end.result() == .failed)
      #expect(cancellations.value == 2)
      held.drop()
      let source = TaskCompletionSource<Int>()
      let shared = source.task.zip(ThrowableTask<Int> { throw Failed() }.start())
      #expect(throws: Failed()) { try shared.await() }
      #expect(source.trySet(1))
    }
  }

  @Test func `cancelling the result, or one of them, cancels the others`() throws {
    try withDeadline {
      let held = Held<Int>()
      let cancellations = Counter()
      let tasks = (0..<2).map { _ in
        ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
          Task.onCancel {
            cancellations.increment()
            completion(.failure(CancellableTaskError.taskWasCancelled))
          }
          held.hold(completion)
        }
      }
      let zipped = tasks[0].zip(tasks[1]).map { $0.0 }
      let first = Aside { End(zipped.awaitResult()) }
      #expect(held.hasBegun(2))
      tasks[1].cancel()
      #expect(first.result() == .cancelled)
      #expect(eventually { cancellations.value == 2 })
      var again = tasks[1]
      again.isCancelled = false
      let second = Aside { End(zipped.awaitResult()) }
      #expect(held.hasBegun(4))
      zipped.cancel()
      #expect(second.result() == .cancelled)
      #expect(eventually { cancellations.value == 4 })
      held.drop()
    }
  }

  @Test func `awaitAll of several types takes chains`() throws {
    try withDeadline { () throws in
      let (text, number) = awaitAll(Task { 1 }.map { "\($0)" }, Task { 2 }.delay(for: .milliseconds(1)))
      #expect(text == "1" && number == 2)
      let some = try awaitAll(
        Self.later(1).map { "\($0)" }, ThrowableTask { 2 }.retry(attempts: 2), Self.later(3).start().map { $0 + 1 },
        Self.later(Int?.none).always {})
      #expect(some == ("1", 2, 4, nil))
      let failing = Self.later(1).map { (_: Int) -> Int in throw Failed() }
      #expect(throws: Failed()) { try awaitAll(Self.later(1), failing) }
    }
  }
}
