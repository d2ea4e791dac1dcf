import Dispatch
import Foundation
import Testing

@testable import Taskig

struct LimitTests {
  /// Blocks until as many are in flight as should be, so that too few show as a hang and too many as a peak.
  private static func peak(of count: Int, limit: Int, on queue: DispatchQueue = .taskDefault) -> Int {
    let running = Counter()
    let width = min(count, limit)
    let all = Meeting(of: width)
    let tasks = (0..<count).map { _ in
      Task(executionQueue: queue) {
        running.increment()
        defer { running.decrement() }
        _ = all.join()
      }
    }
    tasks.awaitAll(concurrency: limit)
    return running.peak
  }

  @Test(arguments: [(2, 2), (3, 2), (10, 3), (100, 50), (500, 50), (40, 100), (20, .max)])
  func `as many blocking bodies are in flight as the limit allows, and no more`(count: Int, limit: Int) throws {
    try withDeadline(120) {
      #expect(Self.peak(of: count, limit: limit) == min(count, limit))
      let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
      #expect(Self.peak(of: count, limit: limit, on: concurrent) == min(count, limit))
    }
  }

  @Test func `callback-style tasks in flight are limited too`() throws {
    try withDeadline {
      let running = Counter()
      let queue = DispatchQueue(label: "timer")
      let all = Gate()
      let tasks = (0..<300).map { _ in
        Task<Void> { completion in
          if running.increment() == 20 { all.open() }
          queue.asyncAfter(deadline: .now() + 0.001) {
            // None ends before as many are in flight as should be, however long that takes.
            all.pass()
            running.decrement()
            completion(())
          }
        }
      }
      tasks.awaitAll(concurrency: 20)
      #expect(running.peak == 20)
    }
  }

  @Test func `a holder of a slot may await a collection under the same limit`() throws {
    try withDeadline {
      @Sendable func nest(_ level: Int) -> Int {
        guard level > 0 else { return 1 }
        return (0..<4).map { _ in Task { nest(level - 1) } }.awaitAll(concurrency: 2).reduce(0, +)
      }
      #expect(nest(5) == 1_024)
    }
  }

  @Test func `64 tasks that each await 64 tasks that each await one complete`() throws {
    try withDeadline {
      @Sendable func inner(_ i: Int) -> Int {
        (0..<64).map { j in Task { Task { i * j }.await() } }.awaitAll().reduce(0, +)
      }
      let sum = (0..<64).map { i in Task { inner(i) } }.awaitAll().reduce(0, +)
      #expect(sum == 2016 * 2016)
    }
  }

  @Test func `cheap work does not fan out`() throws {
    try withDeadline {
      // One, on a quiet machine. Where the caller does not get its turn, or a sanitizer makes cheap work dear, others come; but
      // not in every round.
      let threads = Steps<Int>()
      let isNarrow = (0..<20).contains { _ in
        let count = Set((0..<1_000).map { _ in Task { Machine.thread } }.awaitAll(concurrency: 50)).count
        threads.note(count)
        return count <= 10
      }
      #expect(isNarrow, "\(threads.all)")
    }
  }
}
