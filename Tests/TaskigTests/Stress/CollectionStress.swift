import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What only shows when it is done very often, from a common start line.
struct CollectionStress {
  @Test func `collections of every kind of task, awaited from many threads at once, all complete`() throws {
    try withDeadline(240) {
      let rounds = Machine.stress(200)
      let serial = DispatchQueue(label: "serial")
      let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let width = 8
      let start = Meeting(of: width)
      let failures = Counter()
      let ended = DispatchGroup()
      for thread in 0..<width {
        ended.enter()
        Thread.detachNewThread {
          defer { ended.leave() }
          _ = start.join()
          for round in 0..<rounds {
            let tasks = (0..<40).map { i -> ThrowableTask<Int> in
              switch (i + round + thread) % 5 {
              case 0: ThrowableTask { i }
              case 1: ThrowableTask { completion in DispatchQueue.global().async { completion(.success(i)) } }
              case 2: ThrowableTask(executionQueue: serial) { i }
              case 3: ThrowableTask(executionQueue: concurrent) { Task(executionQueue: serial) { i }.await() }
              default:
                ThrowableTask { try [ThrowableTask { i }, ThrowableTask(executionQueue: serial) { i }].awaitFirst() }
              }
            }
            let limit = 1 + (round + thread) % 20
            if (try? tasks.awaitAll(concurrency: limit)) != Array(0..<40) { failures.increment() }
          }
        }
      }
      #expect(ended.wait(timeout: .now() + 200) == .success)
      #expect(failures.value == 0)
    }
  }

  @Test func `a race has one winner, and its losers do no harm`() throws {
    try withDeadline(120) {
      for round in 0..<Machine.stress(2_000) {
        let first = (0..<4).map { i in
          Task<Int> { completion in
            if (i + round) % 2 == 0 { completion(i) } else { DispatchQueue.global().async { completion(i) } }
          }
        }.awaitFirst(concurrency: 1 + round % 4)
        #expect((0..<4).contains(first))
      }
    }
  }

  @Test func `a hundred flows that each await in sequence complete`() throws {
    try withDeadline {
      let ended = DispatchGroup()
      let sum = Counter()
      for _ in 0..<100 {
        ended.enter()
        Task.async {
          for i in 0..<50 {
            let value = i % 2 == 0 ? Task { 1 }.await() : Task(executionQueue: .utility) { 1 }.await()
            if value == 1 { sum.increment() }
          }
          ended.leave()
        }
      }
      #expect(ended.wait(timeout: .now() + 50) == .success)
      #expect(sum.value == 5_000)
    }
  }
}
