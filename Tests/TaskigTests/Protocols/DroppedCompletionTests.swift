import Dispatch
import Foundation
import Testing

@testable import Taskig

struct DroppedCompletionTests {
  typealias Complete = @Sendable (TaskResult<Int>) -> Void

  /// Completes or not, in place: small enough for the optimizer to see through.
  struct Sometimes: ThrowableTaskType {
    let completes: Bool

    func action(completion: @escaping Complete) {
      if completes { completion(.success(1)) }
    }
  }

  struct Forgetful: TaskType {
    func action(completion: @escaping @Sendable (Int) -> Void) {}
  }

  private func isLost(_ result: TaskResult<Int>) -> Bool {
    if case .failure(TaskigError.neverCompleted) = result { true } else { false }
  }

  private static func dropped(on queue: DispatchQueue = .taskDefault) -> ThrowableTask<Int> {
    ThrowableTask(executionQueue: queue) { (_: @escaping Complete) in }
  }

  /// Holds on to the completion for a while on another thread, then lets it go.
  private static func droppedLater(_ gate: Gate) -> ThrowableTask<Int> {
    ThrowableTask { (completion: @escaping Complete) in
      Thread.detachNewThread {
        gate.pass()
        withExtendedLifetime(completion) {}
      }
      gate.open()
    }
  }

  @Test func `a completion that is dropped at once fails the await`() throws {
    try withDeadline {
      #expect(isLost(Self.dropped().awaitResult()))
      #expect(isLost(Sometimes(completes: false).awaitResult()))
      let value = try Sometimes(completes: true).await()
      #expect(value == 1)
    }
  }

  @Test func `a completion that is dropped later, on another thread, ends the wait`() throws {
    try withDeadline {
      for _ in 0..<Machine.stress(100) { #expect(isLost(Self.droppedLater(Gate()).awaitResult())) }
    }
  }

  @Test func `a completion that is dropped on a queue of its own fails the await`() throws {
    try withDeadline {
      let task = Self.dropped(on: DispatchQueue(label: "own"))
      #expect(isLost(task.awaitResult()))
      #expect(isLost(Task { task.awaitResult() }.await()))
    }
  }

  @Test func `a dropped completion fails its place in a collection and no other`() throws {
    try withDeadline {
      let tasks = [ThrowableTask { 1 }, Self.dropped(), Self.droppedLater(Gate()), ThrowableTask { 2 }]
      let results = tasks.awaitAllResults()
      #expect(results.map(isLost) == [false, true, true, false])
      #expect(throws: TaskigError.self) { try tasks.awaitAll() }
    }
  }

  @Test func `a handler hears that the completion was dropped`() throws {
    try withDeadline {
      let heard = Gate()
      let result = Box<TaskResult<Int>?>(nil)
      Self.dropped().async {
        result.value = $0
        heard.open()
      }
      #expect(heard.pass())
      let value = try #require(result.value)
      #expect(isLost(value))
    }
  }

  @Test func `nobody minds a dropped completion when nobody asked for the outcome`() throws {
    try withDeadline {
      let ran = Gate()
      Task<Int> { (_: @escaping @Sendable (Int) -> Void) in ran.open() }.async()
      #expect(ran.pass())
    }
  }

  @Test func `the error says where the task was made`() throws {
    try withDeadline {
      let line = #line + 1
      let task = ThrowableTask<Int> { (_: @escaping Complete) in }
      let text = task.awaitResult().failureText
      #expect(text.contains("DroppedCompletionTests.swift:\(line)"))
      #expect(text.contains("never completed") && text.contains("Call the completion once"))

      let plain = Task<Int> { (_: @escaping @Sendable (Int) -> Void) in }.throwableTask
      #expect(plain.awaitResult().failureText.contains("DroppedCompletionTests.swift"))
      #expect(Sometimes(completes: false).awaitResult().failureText.contains("The task Sometimes never completed"))
      let converted = Forgetful().throwableTask.awaitResult().failureText
      #expect(converted.contains("made from a task Forgetful") && !converted.contains(".swift"))
    }
  }
}

extension TaskResult where Failure == any Error {
  fileprivate var failureText: String {
    if case .failure(let error) = self { "\(error)" } else { "no failure" }
  }
}
