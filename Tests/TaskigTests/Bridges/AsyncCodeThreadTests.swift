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

  @Test func `cheap runs in a collection do not take a thread each`() async throws {
    // A busy machine looks like work that stands still, for which threads are brought. It only ever adds some, and to one
    // process more than to another, so the one with the fewest counts.
    var fewest = Int.max
    for _ in 0..<5 where fewest > 120 {
      let end = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
        exitLate()
        print("threads:", blocking { Self.mostThreads(limit: 400) }, terminator: ";")
        fflush(nil)
        exit(0)
      }
      let words = String(decoding: end.standardOutputContent, as: UTF8.self)
      let number = try #require(words.firstMatch(of: /threads: (\d+);/))
      fewest = min(fewest, try #require(Int(number.1)))
    }
    #expect(fewest <= 120)
  }
}
