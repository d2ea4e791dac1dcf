import Dispatch
import Foundation
import Testing

@testable import Taskig

struct DepthTests {
  static let some = Machine.depth(20_000)
  static let levels = Machine.depth(100_000)

  @Test func `a hundred thousand awaits nested in one another complete`() throws {
    try withDeadline(120) {
      @Sendable func nest(_ level: Int) -> Int {
        guard level > 0 else { return 0 }
        return Task { nest(level - 1) }.await() + 1
      }
      #expect(nest(Self.levels) == Self.levels)
    }
  }

  @Test func `they take some threads, and not one for each level`() async {
    await #expect(processExitsWith: .success) {
      @Sendable func nest(_ level: Int) -> Int {
        guard level > 0 else { return Machine.threads ?? 0 }
        return Task { nest(level - 1) }.await()
      }
      // A sanitizer's frames are several times as large as a release build's.
      if nest(DepthTests.levels) > 500 { exit(1) }
    }
  }

  @Test func `a global queue's tasks nest as deeply, since others can go on there`() throws {
    try withDeadline(120) {
      @Sendable func nest(_ level: Int) -> Int {
        level == 0 ? 0 : Task(executionQueue: .utility) { nest(level - 1) }.await() + 1
      }
      #expect(nest(DepthTests.some) == DepthTests.some)
    }
  }

  @Test func `deep inside, a held queue can still be asked for a moment`() throws {
    try withDeadline(120) {
      let own = DispatchQueue(label: "own")
      let turns = Counter()
      @Sendable func nest(_ level: Int) -> Int {
        guard level > 0 else { return 0 }
        Task(executionQueue: own) { _ = turns.increment() }.await()
        return Task { nest(level - 1) }.await() + 1
      }
      #expect(Task(executionQueue: own) { nest(DepthTests.some) }.await() == DepthTests.some)
      #expect(turns.value == DepthTests.some)
    }
  }

  @Test func `throwing and callback-style tasks nest as deeply`() throws {
    try withDeadline(120) { () throws in
      @Sendable func nest(_ level: Int) throws -> Int {
        guard level > 0 else { return 0 }
        return try ThrowableTask<Int> { completion in
          completion(TaskResult { try nest(level - 1) + 1 })
        }.await()
      }
      #expect(try nest(DepthTests.some) == DepthTests.some)
    }
  }

  @Test func `collections nest deeply too, one at a time as well`() throws {
    try withDeadline(120) {
      @Sendable func nest(_ level: Int, _ limit: Int) -> Int {
        guard level > 0 else { return 0 }
        let tasks = [Task { nest(level - 1, limit) + 1 }, Task { 0 }]
        return tasks.awaitAll(concurrency: limit)[0]
      }
      #expect(nest(DepthTests.some, 1) == DepthTests.some)
      #expect(nest(DepthTests.some, 50) == DepthTests.some)
    }
  }

  @Test func `a nest of collections that is cancelled from outside comes apart, however deep`() throws {
    try withDeadline(120) {
      let levels = Machine.depth(50_000)
      let (reached, release) = (Gate(), Gate())
      @Sendable func nest(_ level: Int) throws -> Int {
        guard level > 0 else {
          return try ThrowableTask(executionQueue: .global()) { () -> Int in
            reached.open()
            release.pass()
            return 0
          }.await()
        }
        return try [ThrowableTask { try nest(level - 1) }].awaitAll()[0]
      }
      let root = ThrowableTask { try nest(levels) }
      Task.async {
        reached.pass()
        root.cancel()
      }
      #expect(throws: CancellableTaskError.taskWasCancelled) { try root.await() }
      release.open()
    }
  }

  @Test func `a hundred thousand steps that complete at once follow one another, each begun by the one before`() throws
  {
    try withDeadline(120) {
      let done = Gate()
      let queue = DispatchQueue(label: "steps")
      @Sendable func step(_ left: Int) {
        guard left > 0 else { return done.open() }
        // In turn with a callback-style action, one that returns, and one on a queue.
        switch left % 3 {
        case 0: Task<Int> { completion in completion(left - 1) }.async { step($0) }
        case 1: ThrowableTask { left - 1 }.async { if case .success(let left) = $0 { step(left) } }
        default: Task<Int>(executionQueue: queue) { completion in completion(left - 1) }.async { step($0) }
        }
      }
      step(Self.levels)
      #expect(done.pass(within: 100))
      let sum = (0..<Self.levels).reduce(0) { sum, _ in sum + Task<Int> { completion in completion(1) }.await() }
      #expect(sum == Self.levels)
    }
  }
}
