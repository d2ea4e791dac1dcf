import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Tasks in tasks in tasks, made with the operators that run theirs apart; in processes of their own, which a stack that is too
/// small would end.
@Suite(.serialized) struct NestingTests {
  private static let levels = Machine.depth(20_000)
  /// For what costs more for each level.
  private static let some = Machine.depth(4_000)

  /// The exit code that says how `body`'s tasks ended, if not with `value`.
  private static func check(_ value: Int, _ tasks: ThrowableTask<Int>...) {
    for (index, task) in tasks.enumerated() where End(task.awaitResult()) != .value(value) { exit(Int32(index) + 1) }
  }

  @Test func `timeouts`() async {
    await #expect(processExitsWith: .success) {
      blocking {
        @Sendable func descend(_ level: Int) -> ThrowableTask<Int> {
          guard level > 0 else { return ThrowableTask { 0 } }
          return ThrowableTask { level }.flatMap { descend($0 - 1) }.timeout(.seconds(3_600)).map { $0 + 1 }
        }
        var task = ThrowableTask { 0 }
        for _ in 0..<NestingTests.levels { task = task.timeout(.seconds(3_600)).map { $0 + 1 } }
        NestingTests.check(NestingTests.levels, descend(NestingTests.levels), task)
      }
    }
  }

  @Test func `tasks of several, each begun by the one before`() async {
    await #expect(processExitsWith: .success) {
      blocking {
        @Sendable func descend(_ level: Int) -> ThrowableTask<Int> {
          guard level > 0 else { return ThrowableTask { 0 } }
          let next = ThrowableTask { level }.flatMap { descend($0 - 1) }
          return [next, ThrowableTask { 1 }].whenAll().map { $0[0] + $0[1] }
        }
        NestingTests.check(NestingTests.levels, descend(NestingTests.levels))
      }
    }
  }

  @Test func `tasks of several, made one around the other`() async {
    await #expect(processExitsWith: .success) {
      blocking {
        var task = ThrowableTask { 0 }
        for _ in 0..<NestingTests.levels { task = [task, ThrowableTask { 1 }].whenAll().map { $0[0] + $0[1] } }
        NestingTests.check(NestingTests.levels, task)
      }
    }
  }

  @Test func `pairs, made one around the other`() async {
    await #expect(processExitsWith: .success) {
      blocking {
        var task = ThrowableTask { 0 }
        for _ in 0..<NestingTests.levels { task = task.zip(ThrowableTask { 1 }).map { $0 + $1 } }
        NestingTests.check(NestingTests.levels, task)
      }
    }
  }

  @Test func `attempts`() async {
    await #expect(processExitsWith: .success) {
      blocking {
        @Sendable func descend(_ level: Int) -> ThrowableTask<Int> {
          guard level > 0 else { return ThrowableTask { 0 } }
          return ThrowableTask { level }.flatMap { descend($0 - 1) }.retry(attempts: 2).map { $0 + 1 }
        }
        var task = ThrowableTask { 0 }
        for _ in 0..<NestingTests.levels { task = task.retry(attempts: 2).map { $0 + 1 } }
        NestingTests.check(NestingTests.levels, descend(NestingTests.levels), task)
      }
    }
  }

  @Test func `shared tasks`() async {
    await #expect(processExitsWith: .success) {
      blocking {
        @Sendable func descend(_ level: Int) -> ThrowableTask<Int> {
          guard level > 0 else { return ThrowableTask { 0 } }
          return ThrowableTask { level }.flatMap { level in descend(level - 1).start() }.map { $0 + 1 }
        }
        var task = ThrowableTask { 0 }.start()
        for _ in 0..<NestingTests.some {
          task = [task.timeout(.seconds(3_600)), ThrowableTask { 1 }.start()].whenAll().map { $0[0] + $0[1] }
        }
        NestingTests.check(NestingTests.some, descend(NestingTests.some), task.throwingAgain)
      }
    }
  }
}

extension SharedTask {
  /// A cold task with the same outcome.
  fileprivate var throwingAgain: ThrowableTask<T> { ThrowableTask { try self.await() } }
}
