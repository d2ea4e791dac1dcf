import Dispatch
import Taskig

/// The contests that are about one await.
extension Contest {
  static let single = Contest(
    "await", "Make a task and wait for its value", sum: 1,
    [
      .taskig("Task { }.await()") { count in sum(of: count) { Task { 1 }.await() } },
      .dispatch("queue.sync { }") { count in sum(of: count) { DispatchQueue.global().sync { 1 } } },
      .swiftConcurrency("Task.detached { }.value") { await _Concurrency.Task.detached { 1 }.value },
    ])

  static func nested(levels: Int) -> Contest {
    Contest(
      "nested", "\(levels.text) waits inside one another; time of one", parts: levels, sum: levels,
      [
        .taskig("Task { }.await()") { count in sum(of: count) { awaits(levels) } },
        .dispatch("queue.sync { }") { count in sum(of: count) { syncs(levels) } },
        .swiftConcurrency("Task.detached { }.value") { await detachments(levels) },
      ])
  }

  static let callback = Contest(
    "callback", "Wait for a callback that comes from a queue", sum: 1,
    [
      .taskig("Task { completion in }.await()") { count in
        sum(of: count) { Task<Int> { completion in DispatchQueue.global().async { completion(1) } }.await() }
      },
      .dispatch("queue.async and a semaphore") { count in
        sum(of: count) {
          let result = Guarded(0)
          let done = DispatchSemaphore(value: 0)
          DispatchQueue.global().async {
            result.withLock { $0 = 1 }
            done.signal()
          }
          done.wait()
          return result.current
        }
      },
      .swiftConcurrency("withCheckedContinuation") {
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume(returning: 1) }
        }
      },
    ])

  static let bridge = Contest(
    "bridge", "Wait in blocking code for async code that suspends once", sum: 1,
    [
      .taskig("Task.awaitAsync { }") { count in sum(of: count) { Task.awaitAsync { await yieldingOnce() } } },
      .dispatch("Task.detached { } and a semaphore") { count in
        sum(of: count) { blockingOnSemaphore { await yieldingOnce() } }
      },
    ])

  private static func sum(of count: Int, _ body: () -> Int) -> Int {
    var sum = 0
    for _ in 0..<count { sum &+= body() }
    return sum
  }

  private static func awaits(_ level: Int) -> Int {
    level == 0 ? 0 : Task { awaits(level - 1) &+ 1 }.await()
  }

  private static func syncs(_ level: Int) -> Int {
    level == 0 ? 0 : DispatchQueue.global().sync { syncs(level - 1) &+ 1 }
  }

  private static func detachments(_ level: Int) async -> Int {
    level == 0 ? 0 : await _Concurrency.Task.detached { await detachments(level - 1) &+ 1 }.value
  }

  private static func yieldingOnce() async -> Int {
    await _Concurrency.Task.yield()
    return 1
  }
}
