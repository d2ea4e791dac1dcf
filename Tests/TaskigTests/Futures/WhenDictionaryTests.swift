import Testing

@testable import Taskig

/// The tasks of a dictionary as one.
struct WhenDictionaryTests {
  private static let keys = (0..<100).map { "\($0)" }
  private static let expected = Dictionary(uniqueKeysWithValues: keys.map { ($0, $0.count) })

  private static func tasks<T>(_ make: (String) -> T) -> [String: T] {
    Dictionary(uniqueKeysWithValues: keys.map { ($0, make($0)) })
  }

  @Test func `each result is under its task's key, for every kind of task`() throws {
    try withDeadline { () throws in
      #expect(Self.tasks { key in Task { key.count } }.whenAll(concurrency: 3).await() == Self.expected)
      let cold: [String: ThrowableTask<Int>] = Self.tasks { key in ThrowableTask { key.count } }
      #expect(try cold.whenAll().await() == Self.expected)
      #expect(try cold.whenAllResults().await().mapValues { try $0.get() } == Self.expected)
      let shared = Self.tasks { key in Task { key.count }.start() }
      let all = shared.whenAll()
      let results = shared.whenAllResults()
      #expect(
        type(of: all) == SharedTask<[String: Int]>.self
          && type(of: results) == SharedTask<[String: TaskResult<Int>]>.self)
      #expect(try all.await() == Self.expected)
      #expect(try results.await().mapValues { try $0.get() } == Self.expected)
      #expect(try [String: ThrowableTask<Int>]().whenAll().await() == [:])
    }
  }

  @Test func `the first failure is that of all, and each has its own among the results`() throws {
    try withDeadline { () throws in
      let cold = ["right": ThrowableTask { 1 }, "wrong": ThrowableTask { throw Failed() }]
      let shared = cold.mapValues { $0.start() }
      #expect(throws: Failed.self) { try cold.whenAll().await() }
      #expect(throws: Failed.self) { try shared.whenAll().await() }
      for results in [try cold.whenAllResults().await(), try shared.whenAllResults().await()] {
        #expect(results.mapValues { End($0) } == ["right": .value(1), "wrong": .failed])
      }
    }
  }

  @Test func `cancelling the task of shared ones cancels them all`() throws {
    try withDeadline {
      let sources = ["a": TaskCompletionSource<Int>(), "b": TaskCompletionSource<Int>()]
      let all = sources.mapValues(\.task).whenAll()
      all.cancel()
      #expect(sources.values.allSatisfy { $0.task.isCancelled } && all.isCancelled)
    }
  }
}
