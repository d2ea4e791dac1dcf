import Dispatch
import Taskig

/// Tasks that are called off before they start: the body never runs, and whoever waits is told.
struct CancellationChapter: Chapter {
  let title = "Called off in time"

  func run(on stage: Stage) throws {
    stage.say("One task, called off at three moments before it starts, then allowed to run.")
    let runs = Guarded(0)
    let line = DispatchQueue(label: "taskig-demo.line")
    let task = ThrowableTask(executionQueue: line) {
      stage.work("body") { runs.withLock { $0 += 1 } }
      return "done"
    }
    task.cancel()
    expectNoRun("Cancelled it, then awaited it", runs, on: stage) { task.awaitResult() }

    // Copies share their cancellation, so that whoever has one can call the task off.
    var copy = task
    copy.isCancelled = false
    expectNoRun("Cancelled it while its start was delayed by half a second", runs, on: stage) {
      ThrowableTask<String> { completion in
        task.async(delayBy: 0.5) { completion($0) }
        task.cancel()
      }.awaitResult()
    }

    copy.isCancelled = false
    expectNoRun("Cancelled it while it stood in line on its queue", runs, on: stage) {
      ThrowableTask<String> { completion in
        let gate = DispatchSemaphore(value: 0)
        Task.async(executionQueue: line) { gate.wait() }
        task.async { completion($0) }
        task.cancel()
        gate.signal()
      }.awaitResult()
    }

    copy.isCancelled = false
    let (value, time) = try stage.measure { try task.await() }
    stage.report("Set isCancelled back to false and awaited it", time)
    stage.check("the value", value, is: "done")
    stage.check("how often the body ran in all", runs.current, is: 1)
  }

  private func expectNoRun(
    _ what: String, _ runs: Guarded<Int>, on stage: Stage, _ attempt: () -> TaskResult<String>
  ) {
    let (result, time) = stage.measure(attempt)
    stage.report(what, time)
    var caught: CancellableTaskError?
    if case .failure(let error) = result { caught = error as? CancellableTaskError }
    stage.check("the error", caught, is: .taskWasCancelled)
    stage.check("how often the body ran", runs.current, is: 0)
  }
}
