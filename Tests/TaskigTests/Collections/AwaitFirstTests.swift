import Dispatch
import Foundation
import Testing

@testable import Taskig

struct AwaitFirstTests {
  struct Failure: Error, Equatable {}

  @Test func `the first result is returned while a slower body still blocks`() throws {
    try withDeadline { () throws in
      let hold = Gate()
      defer { hold.open() }
      let blocked = Task { () -> Int in
        hold.pass()
        return 1
      }
      #expect([blocked, Task { 2 }, blocked].awaitFirst() == 2)
      #expect(["slow": blocked, "fast": Task { 2 }].awaitFirst() == 2)
      #expect(try [blocked.throwableTask, ThrowableTask { 2 }].awaitFirst() == 2)
      #expect(try [blocked.throwableTask, ThrowableTask { 2 }].awaitFirstResult().get() == 2)
    }
  }

  @Test func `a callback-style task can be the first`() throws {
    try withDeadline {
      let hold = Gate()
      defer { hold.open() }
      let never = Task<Int> { completion in
        Thread.detachNewThread { @Sendable in
          hold.pass()
          completion(1)
        }
      }
      let soon = Task<Int> { completion in DispatchQueue.global().async { completion(2) } }
      #expect([never, soon, never].awaitFirst() == 2)
    }
  }

  @Test func `the first may be a failure, and it is thrown`() throws {
    try withDeadline {
      let hold = Gate()
      defer { hold.open() }
      let blocked = ThrowableTask { () -> Int in
        hold.pass()
        return 1
      }
      let failing = ThrowableTask<Int> { throw Failure() }
      #expect(throws: Failure()) { try [blocked, failing].awaitFirst() }
      #expect([blocked, failing].awaitFirstResult().isFailure)
    }
  }

  @Test func `tasks that have not started when the first is done never start`() throws {
    try withDeadline {
      let started = Counter()
      let tasks = (0..<100).map { i in
        Task { () -> Int in
          started.increment()
          return i
        }
      }
      #expect(tasks.awaitFirst(concurrency: 1) == 0)
      #expect(started.value == 1)
    }
  }

  @Test func `a loser that still waits for its queue never starts`() throws {
    try withDeadline {
      let own = DispatchQueue(label: "own")
      own.suspend()
      let runs = Counter()
      let loser = Task(executionQueue: own) { runs.increment() }
      #expect([loser, Task { -1 }, loser].awaitFirst() == -1)
      own.resume()
      own.sync {}
      #expect(runs.value == 0)
    }
  }

  @Test func `a loser that drops its completion does no harm`() async {
    await #expect(processExitsWith: .success) {
      let (hold, dropped) = (Gate(), Gate())
      let loser = Task<Int> { (completion: @escaping @Sendable (Int) -> Void) in
        Thread.detachNewThread {
          hold.pass()
          withExtendedLifetime(completion) {}
        }
      }
      guard blocking({ [loser, Task { 1 }].awaitFirst() }) == 1 else { exit(1) }
      hold.open()
      // Long enough for the completion to go, and for the program to stop if that were a fault.
      dropped.pass(within: 0.1)
    }
  }

  @Test func `no tasks have no first, which a throwing one can say`() throws {
    #expect(throws: TaskigError.emptySequence) { try [ThrowableTask<Int>]().awaitFirst() }
    #expect(throws: TaskigError.emptySequence) { try [String: ThrowableTask<Int>]().awaitFirst() }
    #expect([ThrowableTask<Int>]().awaitFirstResult().isFailure)
  }

  @Test func `a single task is simply awaited`() throws {
    try withDeadline { () throws in
      #expect([Task { 1 }].awaitFirst() == 1)
      #expect(try [ThrowableTask { 1 }].awaitFirst() == 1)
    }
  }
}
