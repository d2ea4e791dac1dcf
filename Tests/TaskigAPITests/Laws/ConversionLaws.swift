import Foundation
import Taskig
import Testing

/// What holds of a plain task's throwing form.
@Suite struct ConversionLaws {
  @Test func `the throwing form keeps the task's queue`() {
    let queue = DispatchQueue(label: "tests.kept")
    let probe = Probe(.serial)
    #expect(Task(executionQueue: queue) { 1 }.throwableTask.executionQueue === queue)
    #expect(Queued(probe: probe).throwableTask.executionQueue === probe.queue)
    #expect(Circle(probe: probe).throwableTask.executionQueue === probe.queue)
    #expect(Constant(probe: Probe()).throwableTask.executionQueue === Constant(probe: Probe()).executionQueue)
    #expect(probe.runs == 0)
  }

  @Test func `the throwing forms of several tasks keep their order and their keys`() async throws {
    let (inOrder, keyed) = try await withDeadline("the throwing forms of several tasks") {
      let tasks = (0..<20).map { number in Task { number } }
      let byName = ["a": tasks[0], "b": tasks[1]]
      return try (tasks.throwableTasks.awaitAll(), byName.throwableTasks.awaitAll())
    }
    #expect(inOrder == Array(0..<20))
    #expect(keyed == ["a": 0, "b": 1])
  }

  @Test func `the throwing form can be cancelled, and the task itself goes on`() async throws {
    let (runs, cancelled, value) = try await withDeadline("the throwing form can be cancelled") {
      let probe = Probe()
      let task = Constant(probe: probe)
      let throwing = task.throwableTask
      throwing.cancel()
      let cancelled = ending(throwing.awaitResult())
      return (probe.runs, cancelled, task.await())
    }
    #expect(runs == 0)
    #expect(cancelled == "error taskWasCancelled")
    #expect(value == 42)
  }

  @Test func `a plain task that drops its completion fails in its throwing form`() async throws {
    let outcome = try await withDeadline("a plain task that drops its completion") {
      Task<Int> { (_: @escaping @Sendable (Int) -> Void) in }.throwableTask.awaitResult()
    }
    let error = #expect(throws: TaskigError.self) { try outcome.get() }
    guard case .neverCompleted(let task) = error else {
      Issue.record("It failed with \(error, default: "nothing").")
      return
    }
    #expect(task.contains("ConversionLaws.swift:"))
  }
}
