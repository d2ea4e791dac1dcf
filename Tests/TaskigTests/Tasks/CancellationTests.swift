import Dispatch
import Foundation
import Testing

@testable import Taskig

struct CancellationTests {
  private static func wasCancelled(_ result: TaskResult<Int>) -> Bool {
    if case .failure(CancellableTaskError.taskWasCancelled) = result { true } else { false }
  }

  @Test func `a task that is cancelled before it starts never runs, in any entry point`() throws {
    try withDeadline {
      let runs = Counter()
      let own = DispatchQueue(label: "own")
      for queue in [DispatchQueue.taskDefault, own, .utility] {
        var task = ThrowableTask<Int>(executionQueue: queue) { runs.increment() }
        task.isCancelled = true
        #expect(throws: CancellableTaskError.taskWasCancelled) { try task.await() }
        #expect(Self.wasCancelled(task.awaitResult()))
        #expect(throws: CancellableTaskError.taskWasCancelled) { try [task, task].awaitAll() }
        #expect(throws: CancellableTaskError.taskWasCancelled) { try [task, task].awaitFirst() }
        #expect([task, task].awaitAllResults().allSatisfy(Self.wasCancelled))
        #expect(["a": task].awaitAllResults().values.allSatisfy(Self.wasCancelled))
        let heard = Gate()
        let result = Box<TaskResult<Int>?>(nil)
        task.async {
          result.value = $0
          heard.open()
        }
        #expect(heard.pass())
        let value = try #require(result.value)
        #expect(Self.wasCancelled(value))
      }
      #expect(runs.value == 0)
    }
  }

  @Test func `copies share their cancellation, and it can be taken back`() throws {
    try withDeadline {
      var task = ThrowableTask { 1 }
      let copy = task
      task.isCancelled = true
      #expect(copy.isCancelled)
      #expect(throws: CancellableTaskError.taskWasCancelled) { try copy.await() }
      task.isCancelled = false
      let value = try copy.await()
      #expect(value == 1)
      copy.cancel()
      #expect(task.isCancelled)
      #expect(!ThrowableTask { 1 }.isCancelled)
    }
  }

  @Test func `a task that is cancelled while it waits for its queue never runs`() throws {
    try withDeadline {
      let own = DispatchQueue(label: "own")
      let hold = Gate()
      own.async { hold.pass() }
      let runs = Counter()
      let task = ThrowableTask<Int>(executionQueue: own) { runs.increment() }
      let heard = Gate()
      let result = Box<TaskResult<Int>?>(nil)
      task.async {
        result.value = $0
        heard.open()
      }
      task.cancel()
      hold.open()
      #expect(heard.pass())
      let value = try #require(result.value)
      #expect(Self.wasCancelled(value))
      #expect(runs.value == 0)
    }
  }

  @Test func `in a collection only the cancelled tasks fail`() throws {
    try withDeadline {
      let tasks = (0..<10).map { i in ThrowableTask { i } }
      tasks[7].cancel()
      let results = tasks.awaitAllResults()
      #expect(results.enumerated().filter { Self.wasCancelled($0.element) }.map(\.offset) == [7])
      #expect(throws: CancellableTaskError.taskWasCancelled) { try tasks.awaitAll() }
    }
  }

  @Test func `a throwable task made from a plain one can be cancelled and keeps its queue`() throws {
    try withDeadline { () throws in
      let own = NamedQueue("own")
      let task = Task(executionQueue: own.queue) { own.nameHere() }.throwableTask
      let name = try task.await()
      #expect(name == "own")
      task.cancel()
      #expect(throws: CancellableTaskError.taskWasCancelled) { try task.await() }
      let all = [Task { 1 }, Task { 2 }].throwableTasks
      all[1].cancel()
      #expect(all.awaitAllResults().map(Self.wasCancelled) == [false, true])
      #expect(try ["a": Task { 1 }].throwableTasks.awaitAll() == ["a": 1])
    }
  }
}
