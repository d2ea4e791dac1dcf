import Dispatch
import Foundation
import Testing

@testable import Taskig

/// How many threads are used, counted in a process of its own, where no other test starts any.
///
/// The bounds are wide: on a machine that is busy with other tests, a thread that does not get its turn looks like a blocked
/// one, and help comes that a quiet machine does not need. `Benchmarks/` prints the exact numbers.
struct ThreadCountTests {
  @Test func `five thousand callback-style tasks, all in flight, hold no threads`() async {
    await #expect(processExitsWith: .success) {
      guard let before = Machine.threads else { return }
      let held = Held<Int>()
      let waiting = Aside {
        let tasks = (0..<5_000).map { i in Task<Int> { completion in held.hold { _ in completion(i) } } }
        return tasks.awaitAll(concurrency: .max)
      }
      guard blocking({ held.hasBegun(5_000) }) else { exit(1) }
      // Where it takes long to begin a task, threads are brought for the others. They go when they have been idle for seconds.
      guard blocking({ Machine.comesDown(toThreads: before + 20) }) else { exit(2) }
      held.complete(.success(0))
      guard blocking({ waiting.result() }) == Array(0..<5_000) else { exit(3) }
    }
  }

  @Test func `five hundred blocking bodies under a limit of fifty use hardly a thread more`() async {
    await #expect(processExitsWith: .success) {
      guard let before = Machine.threads else { return }
      let most = Counter()
      let tasks = (0..<500).map { i in
        Task {
          // A body that blocks, which is what this test is about.
          Thread.sleep(forTimeInterval: 0.01)
          if i % 50 == 25, (Machine.threads ?? 0) > before + 60 { most.increment() }
        }
      }
      blocking { _ = tasks.awaitAll(concurrency: 50) }
      if most.value > 0 { exit(1) }
    }
  }

  @Test func `ten thousand tasks under a limit of four use a handful of threads`() async {
    await #expect(processExitsWith: .success) {
      guard let before = Machine.threads else { return }
      let tasks = (0..<10_000).map { i in Task { i % 1_000 == 0 ? Machine.threads ?? 0 : 0 } }
      let most = blocking { tasks.awaitAll(concurrency: 4) }.max() ?? 0
      if most > before + 8 { exit(1) }
    }
  }
}
