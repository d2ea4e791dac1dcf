import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Many shared tasks as one.
struct WhenSharedTests {
  private static func sources(_ count: Int = 3) -> [TaskCompletionSource<Int>] {
    (0..<count).map { _ in TaskCompletionSource<Int>() }
  }

  @Test func `all values come in the order of the sequence, whoever is first`() throws {
    try withDeadline { () throws in
      let sources = Self.sources()
      let all: SharedTask<[Int]> = sources.map(\.task).whenAll()
      let results: SharedTask<[TaskResult<Int>]> = sources.map(\.task).whenAllResults()
      for index in [2, 0, 1] {
        #expect(!all.isCompleted && !results.isCompleted)
        sources[index].set(index)
      }
      #expect(try all.await() == [0, 1, 2])
      #expect(try results.await().values() == [0, 1, 2])
      #expect(try sources.map(\.task).whenAll().await() == [0, 1, 2])
      #expect(try (0..<200).map { i in ThrowableTask { i }.start() }.whenAll().await() == Array(0..<200))
    }
  }

  @Test func `the task of shared tasks is a shared one, unless another type is asked for`() throws {
    try withDeadline { () throws in
      let tasks = [1, 2].map { i in ThrowableTask { i }.start() }
      let (all, results, first, success) = (
        tasks.whenAll(), tasks.whenAllResults(), tasks.whenAny(), tasks.whenAnySuccess()
      )
      #expect(all as Any is SharedTask<[Int]>)
      #expect(results as Any is SharedTask<[TaskResult<Int>]>)
      #expect(first as Any is SharedTask<Int>)
      #expect(success as Any is SharedTask<Int>)
      let zipped = tasks[0].zip(tasks[1])
      #expect(zipped as Any is SharedTask<(Int, Int)>)
      #expect(try tasks.whenAll(concurrency: 1).await() == [1, 2])
    }
  }

  @Test func `none of no tasks`() throws {
    try withDeadline { () throws in
      let none: [SharedTask<Int>] = []
      #expect(try none.whenAll().await() == [])
      #expect(try none.whenAllResults().await().isEmpty)
      #expect(throws: TaskigError.emptySequence) { try none.whenAny().await() }
      #expect(throws: TaskigError.emptySequence) { try none.whenAnySuccess().await() }
    }
  }

  @Test func `the first failure is that of all, and cancels none`() throws {
    try withDeadline {
      let sources = Self.sources()
      let all: SharedTask<[Int]> = sources.map(\.task).whenAll()
      sources[1].set(error: Failed(number: 1))
      #expect(throws: Failed(number: 1)) { try all.await() }
      #expect(!sources[0].task.isCompleted && !sources[2].task.isCompleted)
      #expect(sources[0].trySet(1) && sources[2].trySet(2))
    }
  }

  @Test func `the first that is done, or succeeds, is the first, and cancels none`() throws {
    try withDeadline {
      let sources = Self.sources()
      let (first, success): (SharedTask<Int>, SharedTask<Int>) = (
        sources.map(\.task).whenAny(), sources.map(\.task).whenAnySuccess()
      )
      sources[2].set(error: Failed())
      #expect(End(first.awaitResult()) == .failed)
      #expect(!success.isCompleted)
      sources[1].set(7)
      #expect(End(success.awaitResult()) == .value(7))
      #expect(!sources[0].task.isCompleted)
      #expect(sources[0].trySet(1))
    }
  }

  @Test func `if all fail, there are all errors, each under its index`() throws {
    try withDeadline {
      let sources = Self.sources()
      let success: SharedTask<Int> = sources.map(\.task).whenAnySuccess()
      for (index, source) in sources.enumerated().reversed() { source.set(error: Failed(number: index)) }
      let error = #expect(throws: AggregateError<Int>.self) { try success.await() }
      #expect(error?.errors as? [Int: Failed] == [0: Failed(number: 0), 1: Failed(number: 1), 2: Failed(number: 2)])
      let results: SharedTask<[TaskResult<Int>]> = sources.map(\.task).whenAllResults()
      #expect(throws: AggregateError<Int>.self) { try results.map { try $0.values() }.await() }
    }
  }

  @Test func `one that is cancelled is as one that fails`() throws {
    try withDeadline {
      let sources = Self.sources()
      let tasks = sources.map(\.task)
      let all: SharedTask<[Int]> = tasks.whenAll()
      let (first, success): (SharedTask<Int>, SharedTask<Int>) = (tasks.whenAny(), tasks.whenAnySuccess())
      let results: SharedTask<[TaskResult<Int>]> = tasks.whenAllResults()
      tasks[1].cancel()
      #expect(all.awaitResult().isCancelled && first.awaitResult().isCancelled)
      sources[0].set(0)
      sources[2].set(2)
      #expect(End(success.awaitResult()) == .value(0))
      #expect((try? results.await())?.map(End.init) == [.value(0), .cancelled, .value(2)])
    }
  }

  @Test func `cancelling the result cancels them all`() throws {
    try withDeadline {
      let results: [@Sendable ([SharedTask<Int>]) -> SharedTask<Int>] = [
        { $0.whenAll().map { $0[0] } }, { $0.whenAllResults().map { $0.count } }, { $0.whenAny() },
        { $0.whenAnySuccess() }, { $0[0].zip($0[1], $0[2]).map { $0.0 } },
      ]
      for result in results {
        let sources = Self.sources()
        let task = result(sources.map(\.task))
        task.cancel()
        #expect(End(task.awaitResult()) == .cancelled)
        #expect(sources.map { End($0.task.awaitResult()) } == [.cancelled, .cancelled, .cancelled])
      }
    }
  }

  @Test func `awaits of the result that end early cancel none`() throws {
    try withDeadline {
      let sources = Self.sources()
      let all: SharedTask<[Int]> = sources.map(\.task).whenAll()
      #expect(End(all.map { $0.count }.awaitResult(timeout: .milliseconds(5))) == .timedOut)
      let outer = ThrowableTask { try all.await() }
      let end = Aside { outer.awaitResult().isCancelled }
      outer.cancel()
      #expect(end.result() == true)
      #expect(sources.allSatisfy { !$0.task.isCompleted })
      for source in sources { source.set(1) }
      #expect((try? all.await()) == [1, 1, 1])
    }
  }

  @Test func `the same task may be there several times`() throws {
    try withDeadline {
      let source = TaskCompletionSource<Int>()
      let all: SharedTask<[Int]> = [source.task, source.task, source.task].whenAll()
      source.set(4)
      #expect((try? all.await()) == [4, 4, 4])
    }
  }

  @Test func `a sequence that is no array is gone through once`() throws {
    try withDeadline {
      let made = Counter()
      let tasks = AnySequence { () -> AnyIterator<SharedTask<Int>> in
        var left = 3
        return AnyIterator {
          guard left > 0 else { return nil }
          left -= 1
          return ThrowableTask { made.increment() }.start()
        }
      }
      let all: SharedTask<[Int]> = tasks.whenAll()
      let sum = all.map { $0.reduce(0, +) }
      #expect(End(sum.awaitResult()) == .value(6))
      #expect(made.value == 3)
    }
  }
}
