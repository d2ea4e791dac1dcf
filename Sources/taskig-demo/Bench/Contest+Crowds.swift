import Foundation
import Taskig

/// The contests that are about many tasks at once.
extension Contest {
  static func cheap(count: Int) -> Contest {
    Contest(
      "cheap", "\(count.text) cheap tasks at once, results in order", sum: count * (count + 1) / 2,
      [
        .taskig("awaitAll()") { repetitions in
          (0..<repetitions).reduce(0) { sum, _ in
            (0..<count).map { number in Task { number &+ 1 } }.awaitAll().reduce(sum, &+)
          }
        },
        .dispatch("concurrentPerform") { repetitions in
          (0..<repetitions).reduce(0) { sum, _ in performed(count).reduce(sum, &+) }
        },
        .swiftConcurrency("withTaskGroup") {
          await withTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<count { group.addTask { (number, number &+ 1) } }
            var results = Array(repeating: 0, count: count)
            for await (number, result) in group { results[number] = result }
            return results.reduce(0, &+)
          }
        },
      ])
  }

  static func blocking(count: Int, for time: Duration, limit: Int) -> Contest {
    let ideal = time * (count / limit)
    return Contest(
      "blocking", "\(count) tasks that block for \(time.text), \(limit) at a time; \(ideal.text) is ideal", sum: count,
      [
        .taskig("awaitAll(concurrency: \(limit))") { repetitions in
          (0..<repetitions).reduce(0) { sum, _ in
            (0..<count).map { _ in Task { block(for: time) } }.awaitAll(concurrency: limit).reduce(sum, &+)
          }
        },
        .dispatch("global queue and a semaphore") { repetitions in
          (0..<repetitions).reduce(0) { sum, _ in sum &+ blocked(count, for: time, limit: limit) }
        },
        .swiftConcurrency("withTaskGroup") {
          await withTaskGroup(of: Int.self) { group in
            var sum = 0
            for index in 0..<count {
              if index >= limit { sum &+= await group.next() ?? 0 }
              group.addTask { block(for: time) }
            }
            return await group.reduce(sum, &+)
          }
        },
      ])
  }

  static func callbacks(count: Int, after time: Duration) -> Contest {
    let timer = DispatchQueue(label: "timer")
    return Contest(
      "callbacks", "\(count.text) callbacks in flight, each after \(time.text)", sum: count * (count - 1) / 2,
      [
        .taskig("awaitAll(concurrency: .max)") { repetitions in
          (0..<repetitions).reduce(0) { sum, _ in
            let tasks = (0..<count).map { number in
              Task<Int> { completion in timer.asyncAfter(deadline: .now() + time.seconds) { completion(number) } }
            }
            return tasks.awaitAll(concurrency: .max).reduce(sum, &+)
          }
        },
        .dispatch("asyncAfter and a group") { repetitions in
          (0..<repetitions).reduce(0) { sum, _ in
            let result = Guarded(sum)
            let group = DispatchGroup()
            for number in 0..<count {
              group.enter()
              timer.asyncAfter(deadline: .now() + time.seconds) {
                result.withLock { $0 &+= number }
                group.leave()
              }
            }
            group.wait()
            return result.current
          }
        },
        .swiftConcurrency("withTaskGroup, Task.sleep") {
          await withTaskGroup(of: Int.self) { group in
            for number in 0..<count {
              group.addTask {
                try? await _Concurrency.Task.sleep(for: time)
                return number
              }
            }
            return await group.reduce(0, &+)
          }
        },
      ])
  }

  /// Blocks the thread; a function, since Swift forbids to sleep like this in `async` code itself.
  private static func block(for time: Duration) -> Int {
    Thread.sleep(forTimeInterval: time.seconds)
    return 1
  }

  private static func blocked(_ count: Int, for time: Duration, limit: Int) -> Int {
    let result = Guarded(0)
    let slots = DispatchSemaphore(value: limit)
    let group = DispatchGroup()
    for _ in 0..<count {
      slots.wait()
      DispatchQueue.global().async(group: group) {
        let value = block(for: time)
        result.withLock { $0 &+= value }
        slots.signal()
      }
    }
    group.wait()
    return result.current
  }

  private static func performed(_ count: Int) -> [Int] {
    [Int](unsafeUninitializedCapacity: count) { buffer, filled in
      // because each iteration writes a place of its own.
      nonisolated(unsafe) let buffer = buffer
      DispatchQueue.concurrentPerform(iterations: count) { number in
        buffer.initializeElement(at: number, to: number &+ 1)
      }
      filled = count
    }
  }
}
