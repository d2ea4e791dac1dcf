import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Collections of which something is cancelled while it is in flight: an item, or all that the collection is a part of.
struct CancelledItemsTests {
  private static let queues: [DispatchQueue] = [.taskDefault, DispatchQueue(label: "own"), .utility]

  @Test func `cancelling an item ends that one only`() throws {
    try withDeadline {
      for queue in Self.queues {
        // Two of each: what is completed before the collection has come to hear of it has its value, cancelled or not.
        let (cancelled, held) = (Held<Int>(), Held<Int>())
        let tasks = (0..<4).map { i in (i % 2 == 0 ? cancelled : held).task(on: queue) }
        let waiting = Aside { tasks.awaitAllResults().map(End.init) }
        #expect(cancelled.hasBegun(2) && held.hasBegun(2))
        tasks[2].cancel()
        tasks[0].cancel()
        held.complete(.success(1))
        #expect(waiting.result() == [.cancelled, .value(1), .cancelled, .value(1)])
        cancelled.drop()
      }
    }
  }

  @Test func `the same task three times is three runs, which are cancelled together`() throws {
    try withDeadline {
      for queue in Self.queues {
        let runs = Counter()
        let counting = ThrowableTask<Int>(executionQueue: queue) { runs.increment() }
        let values = try [counting, counting, counting].awaitAll()
        #expect(Set(values) == [1, 2, 3])

        let held = Held<Int>()
        let task = held.task(on: queue)
        let waiting = Aside { [task, task, task].awaitAllResults().map(End.init) }
        #expect(held.hasBegun(3))
        task.cancel()
        #expect(waiting.result() == [.cancelled, .cancelled, .cancelled])
        held.drop()
      }
    }
  }

  @Test func `a slot is given back by callbacks that are cancelled`() throws {
    try withDeadline {
      for queue in Self.queues {
        let held = Held<Int>()
        let hanging = (0..<10).map { _ in held.task(on: queue) }
        let quick = (0..<10).map { i in ThrowableTask(executionQueue: queue) { i } }
        let waiting = Aside { (hanging + quick).awaitAllResults(concurrency: 2).map(End.init) }
        // Two are in flight at a time, and the next two come only when these have gone.
        for pair in 0..<5 {
          #expect(held.hasBegun(2 * pair + 2))
          #expect(held.count == 2 * pair + 2)
          hanging[2 * pair].cancel()
          hanging[2 * pair + 1].cancel()
        }
        #expect(waiting.result() == Array(repeating: .cancelled, count: 10) + (0..<10).map(End.value))
        held.drop()
      }
    }
  }

  @Test func `a slot is given back by those that are cancelled in the line of a blocked queue`() throws {
    try withDeadline {
      let queue = DispatchQueue(label: "blocked")
      let hold = Gate()
      queue.async { hold.pass() }
      let runs = Counter()
      let blocked = (0..<6).map { _ in ThrowableTask<Int>(executionQueue: queue) { runs.increment() } }
      let ran = Counter()
      let others = (0..<6).map { i in
        ThrowableTask { () -> Int in
          ran.increment()
          return i
        }
      }
      let waiting = Aside { (blocked + others).awaitAllResults(concurrency: 2).map(End.init) }
      for task in blocked { task.cancel() }
      #expect(waiting.result() == Array(repeating: .cancelled, count: 6) + (0..<6).map(End.value))
      #expect(ran.value == 6)
      hold.open()
      queue.sync {}
      #expect(runs.value == 0)
    }
  }

  @Test func `a slot is given back by bodies that are cancelled or fail`() throws {
    try withDeadline {
      let tasks = (0..<60).map { i in
        ThrowableTask { () throws -> Int in
          if i % 3 == 0 { throw Failed() }
          if i % 3 == 1 { try Task.sleep(for: .seconds(3_600)) }
          return i
        }
      }
      let running = Counter()
      let waiting = Aside {
        tasks.map { task in
          ThrowableTask { () throws -> Int in
            running.increment()
            defer { running.decrement() }
            return try task.await()
          }
        }.awaitAllResults(concurrency: 2).map(End.init)
      }
      for i in stride(from: 1, to: 60, by: 3) { tasks[i].cancel() }
      let ends = waiting.result()
      let expected = (0..<60).map { i -> End in i % 3 == 0 ? .failed : i % 3 == 1 ? .cancelled : .value(i) }
      #expect(ends == expected)
      #expect(running.peak <= 2)
    }
  }

  @Test func `cancelling all around it ends a collection at once`() throws {
    try withDeadline {
      for queue in Self.queues {
        for limit in [1, 2, .max] {
          let held = Held<Int>()
          let tasks = [ThrowableTask { 1 }] + (0..<3).map { _ in held.task(on: queue) }
          let inside = Steps<[End]>()
          let all = ThrowableTask { () throws -> Int in try tasks.awaitAll(concurrency: limit)[0] }
          let results = ThrowableTask { () -> Int in
            inside.note(tasks.awaitAllResults(concurrency: limit).map(End.init))
            return 0
          }
          let first = ThrowableTask { () throws -> Int in try Array(tasks.dropFirst()).awaitFirst(concurrency: limit) }
          let success = ThrowableTask { () throws -> Int in
            try ["a": tasks[1], "b": tasks[2]].awaitFirstSuccess(concurrency: limit)
          }
          let outer = [all, results, first, success]
          let waiting = outer.map { task in Aside { End(task.awaitResult()) } }
          #expect(held.hasBegun(limit == 1 ? 4 : limit == 2 ? 8 : 3 + 3 + 3 + 2))
          for task in outer { task.cancel() }
          #expect(waiting.map { $0.result() } == [.cancelled, .value(0), .cancelled, .cancelled])
          #expect(inside.all == [[.value(1), .cancelled, .cancelled, .cancelled]])
          held.drop()
        }
      }
    }
  }

  @Test func `cancelling all around it does not wait for bodies on other threads`() throws {
    try withDeadline {
      let goOn = Gate()
      let begun = Counter()
      let tasks = (0..<3).map { i in
        ThrowableTask(executionQueue: .utility) { () -> Int in
          begun.increment()
          goOn.pass()
          return i
        }
      }
      let outer = ThrowableTask { try tasks.awaitAll()[0] }
      let waiting = Aside { End(outer.awaitResult()) }
      #expect(eventually { begun.value == 3 })
      outer.cancel()
      #expect(waiting.result() == .cancelled)
      goOn.open()
    }
  }

  @Test func `limits of one and of no end hold`() throws {
    try withDeadline {
      let running = Counter()
      let tasks = (0..<30).map { i in
        ThrowableTask<Int>(executionQueue: Self.queues[i % 3]) { (completion: @escaping Held<Int>.Complete) in
          running.increment()
          DispatchQueue.global().async {
            running.decrement()
            completion(.success(i))
          }
        }
      }
      let one = try tasks.awaitAll(concurrency: 1)
      #expect(one == Array(0..<30) && running.peak == 1)
      let held = Held<Int>()
      let waiting = Aside {
        (0..<200).map { i in held.task(on: Self.queues[i % 3]) }.awaitAllResults(concurrency: .max)
      }
      #expect(held.hasBegun(200))
      held.complete(.success(1))
      #expect(waiting.result()?.count == 200)
    }
  }
}
