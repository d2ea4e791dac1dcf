import Dispatch
import Foundation
import Testing

@testable import Taskig

struct AwaitTests {
  @Test func `an action that names no queue runs on the awaiting thread`() throws {
    try withDeadline { () throws in
      #expect(Task { Machine.thread }.await() == Machine.thread)
      #expect(try ThrowableTask { Machine.thread }.await() == Machine.thread)
    }
  }

  @Test func `a callback that comes later from another thread ends the wait`() throws {
    try withDeadline {
      let gate = Gate()
      let task = Task<Int> { completion in
        Thread {
          gate.pass()
          completion(7)
        }.start()
        gate.open()
      }
      #expect(task.await() == 7)
    }
  }

  @Test func `an optional result without a value is a result`() throws {
    try withDeadline {
      #expect(Task<Int?> { nil }.await() == nil)
      #expect(Task<Int?> { completion in completion(nil) }.await() == nil)
      #expect(Task<Int?> { completion in DispatchQueue.global().async { completion(nil) } }.await() == nil)
      #expect([Task<Int?> { nil }, Task { 1 }].awaitAll() == [nil, 1])
    }
  }

  @Test func `an error is thrown, and told as a result`() throws {
    struct Failure: Error, Equatable {}
    try withDeadline {
      let task = ThrowableTask<Int> { throw Failure() }
      #expect(throws: Failure()) { try task.await() }
      #expect(throws: Failure()) { try task.awaitResult().get() }
      #expect(throws: Failure()) { try ThrowableTask<Int>.await { throw Failure() } }
    }
  }

  @Test func `the second completion is ignored, on the same thread and on another`() throws {
    try withDeadline {
      let twice = Task<Int> { completion in
        completion(1)
        completion(2)
      }
      #expect(twice.await() == 1)
      let late = Gate()
      let again = Task<Int> { completion in
        completion(1)
        DispatchQueue.global().async {
          completion(2)
          late.open()
        }
      }
      #expect(again.await() == 1)
      #expect(late.pass())
    }
  }

  @Test func `a result need not be Sendable and is let go afterwards`() throws {
    final class Token {}
    try withDeadline {
      weak var token: Token?
      do {
        let made = Task { Token() }.await()
        token = made
        #expect(token != nil)
      }
      #expect(token == nil)
    }
  }

  @Test func `what an action captured is let go when the task is`() throws {
    final class Token: Sendable {}
    try withDeadline {
      weak var token: Token?
      do {
        let made = Token()
        token = made
        let queue = DispatchQueue(label: "own")
        let task = Task(executionQueue: queue) { made === made }
        #expect(task.await())
        #expect([task, task].awaitAll() == [true, true])
      }
      // The queue lets go of its block a moment after the block has run.
      #expect(eventually { token == nil })
    }
  }

  @Test func `a thousand awaits parked at once hold up neither another await nor a timer`() throws {
    try withDeadline {
      let parked = Meeting(of: 1_001)
      let release = Gate()
      let ended = DispatchGroup()
      for _ in 0..<1_000 {
        ended.enter()
        Task.async {
          Task<Void> { completion in
            Thread.detachNewThread { @Sendable in
              _ = parked.join()
              release.pass()
              completion(())
            }
          }.await()
          ended.leave()
        }
      }
      #expect(parked.join())
      #expect(Task { 1 }.await() == 1)
      let fired = Gate()
      Task.async(delayBy: 0.01) { fired.open() }
      #expect(fired.pass())
      release.open()
      #expect(ended.wait(timeout: .now() + Machine.patience(20)) == .success)
    }
  }
}
