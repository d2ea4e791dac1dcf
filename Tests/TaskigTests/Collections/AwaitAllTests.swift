import Dispatch
import Foundation
import Testing

@testable import Taskig

struct AwaitAllTests {
  struct Failure: Error, Equatable {
    let number: Int
  }

  @Test func `results come in the order of the input, for every kind of task`() throws {
    try withDeadline { () throws in
      let expected = Array(0..<200)
      let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
      for limit in [1, 2, 7, 50, 200, .max] {
        #expect(expected.map { i in Task { i } }.awaitAll(concurrency: limit) == expected)
        let later = expected.map { i in
          Task<Int> { completion in DispatchQueue.global().async { completion(i) } }
        }
        #expect(later.awaitAll(concurrency: limit) == expected)
        let queued = expected.map { i in ThrowableTask(executionQueue: concurrent) { i } }
        #expect(try queued.awaitAll(concurrency: limit) == expected)
        #expect(try queued.awaitAllResults(concurrency: limit).map { try $0.get() } == expected)
      }
    }
  }

  @Test func `no tasks give no results`() throws {
    #expect([Task<Int>]().awaitAll() == [])
    #expect(try [ThrowableTask<Int>]().awaitAll() == [])
    #expect([ThrowableTask<Int>]().awaitAllResults().isEmpty)
    #expect([String: Task<Int>]().awaitAll() == [:])
    #expect(try [String: ThrowableTask<Int>]().awaitAll() == [:])
  }

  @Test func `a dictionary's results are under the keys of their tasks`() throws {
    try withDeadline { () throws in
      let tasks = Dictionary(uniqueKeysWithValues: (0..<100).map { i in ("\(i)", Task { i }) })
      #expect(tasks.awaitAll() == tasks.mapValues { $0.await() })
      let throwing = tasks.throwableTasks
      #expect(try throwing.awaitAll(concurrency: 3) == tasks.awaitAll())
      throwing["42"]?.cancel()
      let results = throwing.awaitAllResults()
      #expect(results.count == 100)
      #expect(results.filter { $0.value.isFailure }.map(\.key) == ["42"])
    }
  }

  @Test func `a lazy sequence and a set of tasks work as an array does`() throws {
    try withDeadline {
      #expect((0..<10).lazy.map { i in Task { i } }.awaitAll() == Array(0..<10))
      #expect(AnySequence((0..<10).map { i in Task { i } }).awaitAll(concurrency: 3) == Array(0..<10))
    }
  }

  @Test func `the same task three times in a collection runs three times`() throws {
    try withDeadline {
      let runs = Counter()
      let task = Task { runs.increment() }
      #expect([task, task, task].awaitAll().sorted() == [1, 2, 3])
    }
  }

  @Test func `what the tasks captured is let go when awaitAll returns`() throws {
    final class Token: Sendable {}
    try withDeadline {
      for _ in 0..<20 {
        weak var token: Token?
        do {
          let made = Token()
          token = made
          _ = (0..<100).map { i in Task { made === made ? i : -1 } }.awaitAll()
        }
        // A beat of the pulse may be looking at the batch just now; it lets go again at once.
        #expect(eventually { token == nil })
      }
    }
  }

  @Test func `after the first failure no more tasks start, and that failure is thrown`() throws {
    try withDeadline {
      let started = Counter()
      let tasks = (0..<1_000).map { i in
        ThrowableTask<Int> {
          started.increment()
          if i == 10 { throw Failure(number: i) }
          return i
        }
      }
      #expect(throws: Failure(number: 10)) { try tasks.awaitAll(concurrency: 1) }
      #expect(started.value == 11)
      #expect(tasks.awaitAllResults().filter(\.isFailure).count == 1)
    }
  }

  @Test func `a failing awaitAll returns only when what was in flight has ended`() throws {
    try withDeadline {
      let failed = Gate()
      let running = Counter()
      let both = Meeting(of: 2)
      let tasks = [
        ThrowableTask<Void> {
          _ = both.join()
          defer { failed.open() }
          throw Failure(number: 1)
        },
        ThrowableTask<Void> {
          running.increment()
          defer { running.decrement() }
          _ = both.join()
          failed.pass()
        },
      ]
      #expect(throws: Failure(number: 1)) { try tasks.awaitAll(concurrency: 2) }
      #expect(running.value == 0)
    }
  }

  @Test func `after a failure a task that still waits for its queue never starts, and nobody waits for it`() throws {
    try withDeadline {
      let own = DispatchQueue(label: "own")
      own.suspend()
      let runs = Counter()
      let inLine = ThrowableTask<Void>(executionQueue: own) { runs.increment() }
      let failing = ThrowableTask<Void> { throw Failure(number: 1) }
      #expect(throws: Failure(number: 1)) { try [inLine, failing, inLine].awaitAll() }
      own.resume()
      own.sync {}
      #expect(runs.value == 0)
    }
  }

  @Test func `an error in the first task of a limit of one leaves the caller free for the next await`() throws {
    try withDeadline {
      let tasks = [ThrowableTask<Int> { throw Failure(number: 0) }, ThrowableTask { 1 }]
      #expect(throws: Failure(number: 0)) { try tasks.awaitAll(concurrency: 1) }
      #expect(Task { 1 }.await() == 1)
    }
  }
}
