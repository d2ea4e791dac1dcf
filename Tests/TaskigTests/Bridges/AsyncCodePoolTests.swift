import Foundation
import Testing

@testable import Taskig

/// Async code that goes on although Swift's own pool does not, in processes of their own.
struct AsyncCodePoolTests {
  private actor Till {
    var amount = 0

    func add(_ number: Int) async -> Int {
      await _Concurrency.Task.yield()
      amount += number
      return amount
    }
  }

  /// Calls `body`, in a process of its own and on a thread of its own, when no thread of Swift's pool is free; it ends the process.
  private static func withBlockedPool(_ body: @escaping @Sendable () -> Void) {
    let (hold, blocked, isFree) = (Gate(), Counter(), Flag())
    for _ in 0..<2 * Machine.cores {
      _Concurrency.Task.detached {
        blocked.increment()
        blocking { _ = hold.pass(within: 60) }
      }
    }
    Thread.detachNewThread {
      // One thread of the pool may be the one that has called this.
      guard eventually({ blocked.value >= Machine.cores - 1 }) else { exit(6) }
      _Concurrency.Task.detached { isFree.set(true) }
      // Long enough for a thread that is free to come and say so.
      Thread.sleep(forTimeInterval: 0.05)
      guard !isFree.isOn else { exit(7) }
      body()
    }
    blocking { _ = hold.pass(within: 60) }
  }

  @Test func `more callers than the pool has threads block on code that suspends, and all go on`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      let till = Till()
      let sum = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<4 * Machine.cores {
          group.addTask {
            blocking {
              Task.awaitAsync {
                try? await _Concurrency.Task.sleep(for: .milliseconds(20))
                await _Concurrency.Task.yield()
                _ = await till.add(1)
                return 1
              }
            }
          }
        }
        return await group.reduce(0, +)
      }
      let amount = await till.amount
      exit(sum == 4 * Machine.cores && amount == sum ? 3 : 4)
    }
  }

  @Test func `async code goes on where the whole pool is blocked`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      Self.withBlockedPool {
        let till = Till()
        let sum = Task.awaitAsync {
          await _Concurrency.Task.yield()
          return await till.add(1)
        }
        exit(sum == 1 ? 3 : 4)
      }
    }
  }

  @Test func `so do its child tasks, and the actors that they call`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      Self.withBlockedPool {
        let till = Till()
        let sum = Task.awaitAsync {
          async let one = till.add(1)
          async let two = till.add(1)
          let group = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
              group.addTask {
                async let inner = till.add(1)
                return await inner > 0 ? 1 : 0
              }
            }
            return await group.reduce(0, +)
          }
          let isSum = await one + two > 2
          return isSum ? group : 0
        }
        exit(sum == 10 ? 3 : 4)
      }
    }
  }

  @Test func `it can sleep there, and wait for tasks and in a stream`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      Self.withBlockedPool {
        let sum = Task.awaitAsync {
          try? await _Concurrency.Task.sleep(for: .milliseconds(10))
          var sum = await Task { 1 }.value
          for await value in (0..<3).map({ _ in Task { 1 } }).asCompleted() { sum += value }
          let (stream, end) = AsyncStream.makeStream(of: Int.self)
          Task.async(delayBy: 0.001) {
            end.yield(1)
            end.finish()
          }
          for await value in stream { sum += value }
          return sum
        }
        exit(sum == 5 ? 3 : 4)
      }
    }
  }

  @Test func `a hundred runs that block in the middle of async code do not hold each other up`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      Self.withBlockedPool {
        let meeting = Meeting(of: 100)
        let tasks = (0..<100).map { _ in
          Task.fromAsync {
            await _Concurrency.Task.yield()
            return blocking { meeting.join() }
          }
        }
        exit(tasks.awaitAll(concurrency: .max).allSatisfy { $0 } ? 3 : 4)
      }
    }
  }
}
