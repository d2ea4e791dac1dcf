import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What becomes of the awaits inside a task that is cancelled.
struct CancellingInsideTests {
  /// Awaits `inner`, which hangs, inside a task that is then cancelled, in the way that `nest` says.
  private func expectReached(
    _ held: Held<Int>, location: SourceLocation = #_sourceLocation, _ nest: @escaping @Sendable () throws -> Int
  ) {
    let insideHeard = Gate()
    let task = ThrowableTask { () throws -> Int in
      let result = TaskResult { try nest() }
      #expect(End(result) == .cancelled, sourceLocation: location)
      insideHeard.open()
      return try result.get()
    }
    let waiting = Aside { End(task.awaitResult()) }
    #expect(held.hasBegun(), sourceLocation: location)
    task.cancel()
    #expect(waiting.result() == .cancelled, sourceLocation: location)
    #expect(insideHeard.pass(), sourceLocation: location)
    held.complete(.success(1))
  }

  @Test func `an await inside is reached, in place and through queues`() throws {
    try withDeadline {
      for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own"), .utility] {
        let held = Held<Int>()
        expectReached(held) { try held.task(on: queue).await() }
        let throughAQueue = Held<Int>()
        expectReached(throughAQueue) {
          try ThrowableTask(executionQueue: queue) { try throughAQueue.task().await() }.await()
        }
        let throughTwo = Held<Int>()
        expectReached(throughTwo) {
          try ThrowableTask(executionQueue: queue) {
            try ThrowableTask(executionQueue: DispatchQueue(label: "second")) {
              try throughTwo.task(on: queue).await()
            }.await()
          }.await()
        }
        let own = Held<Int>()
        expectReached(own) { try OwnTask(on: queue, own).await() }
      }
    }
  }

  @Test func `it is through collections`() throws {
    try withDeadline {
      for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own")] {
        let all = Held<Int>()
        expectReached(all) { try [all.task(on: queue), all.task()].awaitAll()[0] }
        let first = Held<Int>()
        expectReached(first) { try [first.task(on: queue), first.task()].awaitFirst() }
        let success = Held<Int>()
        expectReached(success) { try ["a": success.task(on: queue), "b": success.task()].awaitFirstSuccess() }
        let results = Held<Int>()
        expectReached(results) { try [results.task(on: queue)].awaitAllResults()[0].get() }
        let deeper = Held<Int>()
        expectReached(deeper) {
          try [ThrowableTask { try [ThrowableTask(executionQueue: queue) { try deeper.task().await() }].awaitAll()[0] }]
            .awaitFirst()
        }
      }
    }
  }

  @Test func `it is through plain tasks in between, which run and are waited for`() throws {
    try withDeadline {
      for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own"), .utility] {
        let held = Held<Int>()
        expectReached(held) {
          try Task(executionQueue: queue) { TaskResult { try held.task().await() } }.await().get()
        }
        let collected = Held<Int>()
        expectReached(collected) {
          try [Task(executionQueue: queue) { collected.task().awaitResult() }].awaitAll()[0].get()
        }
      }
    }
  }

  @Test func `it is through timeouts`() throws {
    try withDeadline {
      let held = Held<Int>()
      expectReached(held) { try held.task().await(timeout: .seconds(3_600)) }
      let inside = Held<Int>()
      expectReached(inside) { try ThrowableTask { try inside.task().await() }.await(timeout: .seconds(3_600)) }
    }
  }

  @Test func `in a cancelled task plain tasks still run, and throwing ones do not begin`() throws {
    try withDeadline {
      for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own"), .utility] {
        let (begun, goOn) = (Gate(), Gate())
        let runs = Counter()
        let ran = Steps<String>()
        let task = ThrowableTask(executionQueue: DispatchQueue(label: "outer")) {
          begun.open()
          goOn.pass()
          ran.note(Task(executionQueue: queue) { "plain" }.await())
          ran.note(contentsOf: [Task(executionQueue: queue) { "a" }, Task { "b" }].awaitAll())
          ran.note(
            Task(executionQueue: queue) { (completion: @escaping @Sendable (String) -> Void) in
              DispatchQueue.global().async { completion("callback") }
            }.await())
          let throwing = ThrowableTask<Int>(executionQueue: queue) { runs.increment() }
          let ends = [End(throwing.awaitResult()), End(OwnTask(on: queue) { runs.increment() }.awaitResult())]
          let more = [throwing, throwing].awaitAllResults().map(End.init)
          let first = End([throwing, throwing].awaitFirstResult())
          let timed = End(throwing.awaitResult(timeout: .seconds(60)))
          ran.note((ends + more + [first, timed]).allSatisfy { $0 == .cancelled } ? "none" : "some")
        }
        let waiting = Aside { _ = task.awaitResult() }
        #expect(begun.pass())
        task.cancel()
        _ = waiting.result()
        goOn.open()
        #expect(eventually { ran.all.count == 5 })
        #expect(ran.all == ["plain", "a", "b", "callback", "none"])
        #expect(runs.value == 0)
      }
    }
  }

  @Test func `what is not awaited is not cancelled with the task that started it`() throws {
    try withDeadline {
      for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own")] {
        let held = Held<Int>()
        let (goOn, ended) = (Gate(), Gate())
        let ends = Steps<End>()
        let sees = Steps<Bool>()
        let task = ThrowableTask { () throws -> Int in
          held.task(on: queue).async { ends.note(End($0)) }
          Task.async(executionQueue: queue) {
            goOn.pass()
            sees.note(Task.isCancelled)
            ended.open()
          }
          let never = Held<Int>()
          return try never.task().await()
        }
        let waiting = Aside { End(task.awaitResult()) }
        #expect(held.hasBegun())
        task.cancel()
        #expect(waiting.result() == .cancelled)
        goOn.open()
        #expect(ended.pass())
        held.complete(.success(3))
        #expect(eventually { ends.all.count == 1 })
        #expect(ends.all == [.value(3)] && sees.all == [false])
      }
    }
  }

  @Test func `cancelling what is inside leaves what is outside`() throws {
    try withDeadline {
      let held = Held<Int>()
      let inner = held.task(on: DispatchQueue(label: "own"))
      let outer = ThrowableTask { () -> Int in
        let end = End(inner.awaitResult())
        #expect(end == .cancelled && !Task.isCancelled)
        return 4
      }
      let waiting = Aside { End(outer.awaitResult()) }
      #expect(held.hasBegun())
      inner.cancel()
      #expect(waiting.result() == .value(4))
      #expect(!outer.isCancelled)
      held.drop()
    }
  }
}
