import Foundation
import Testing

@testable import Taskig

/// How many threads async code takes, in processes of their own.
struct AsyncCodeThreadTests {
  /// The most threads that the process has had in one of the runs.
  private static func mostThreads(limit: Int) -> Int {
    let most = Locked(0)
    let tasks = (0..<1_000).map { _ in
      Task.fromAsync {
        await _Concurrency.Task.yield()
        let threads = Machine.threads ?? 0
        most.withLock { $0 = max($0, threads) }
      }
    }
    tasks.awaitAll(concurrency: limit)
    return most.withLock { $0 }
  }

  @Test func `cheap runs in a collection do not take a thread each`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      // Many fewer than runs; how many come where a busy machine looks like one that stands still, nobody can say.
      exit(blocking { Self.mostThreads(limit: 400) } <= 250 ? 3 : 4)
    }
  }
}
