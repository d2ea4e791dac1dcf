import Dispatch
import Foundation
import Testing

@testable import Taskig

struct DepthTests {
  private static let levels = 100_000

  @Test func `a hundred thousand awaits nested in one another complete, on few threads`() throws {
    try withDeadline(120) {
      let before = Machine.threads
      let most = Box(0)
      @Sendable func nest(_ level: Int) -> Int {
        guard level > 0 else {
          most.value = Machine.threads ?? 0
          return 0
        }
        return Task { nest(level - 1) }.await() + 1
      }
      #expect(nest(Self.levels) == Self.levels)
      // A sanitizer's frames are several times as large; a thread a level would be a hundred thousand.
      if let before { #expect(most.value - before < 1_000) }
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
      #expect(try nest(20_000) == 20_000)
    }
  }

  @Test func `collections nest deeply too, one at a time as well`() throws {
    try withDeadline(120) {
      @Sendable func nest(_ level: Int, _ limit: Int) -> Int {
        guard level > 0 else { return 0 }
        let tasks = [Task { nest(level - 1, limit) + 1 }, Task { 0 }]
        return tasks.awaitAll(concurrency: limit)[0]
      }
      #expect(nest(20_000, 1) == 20_000)
      #expect(nest(20_000, 50) == 20_000)
    }
  }
}
