import Dispatch
import Foundation
import Testing

@testable import Taskig

struct DepthTests {
  static let levels = 100_000

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
