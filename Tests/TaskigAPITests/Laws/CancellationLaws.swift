import Foundation
import Taskig
import Testing

/// What holds of tasks that are called off before they start.
@Suite struct CancellationLaws {
  /// Starts `task`, whose queue is `place`'s, calls it off while it waits in line, and returns what it ended with.
  private static func endingOfWaiting<T: ThrowableTaskType & Sendable>(
    _ task: T, on queue: DispatchQueue, cancel: (T) -> Void
  ) -> String {
    queue.suspend()
    return caught { done in
      task.async { done(ending($0)) }
      cancel(task)
      queue.resume()
    }
  }

  @Test func `a conformer that is called off while it waits in line never runs`() async throws {
    let (runs, ended) = try await withDeadline("a conformer that is called off while it waits in line") {
      let probe = Probe(.serial)
      let ended = Self.endingOfWaiting(Download(probe: probe), on: probe.queue) { $0.cancel() }
      return (probe.runs, ended)
    }
    #expect(ended == "error taskWasCancelled")
    #expect(runs == 0)
  }

  @Test func `a stock task that is called off while it waits in line never runs`() async throws {
    let (runs, ended) = try await withDeadline("a stock task that is called off while it waits in line") {
      let probe = Probe(.serial)
      let task = ThrowableTask(executionQueue: probe.queue) { probe.actionRuns() }
      let ended = Self.endingOfWaiting(task, on: probe.queue) { $0.cancel() }
      return (probe.runs, ended)
    }
    #expect(ended == "error taskWasCancelled")
    #expect(runs == 0)
  }

  @Test func `calling off one copy calls off all, and calling it back lets it run again`() async throws {
    let (runs, endings) = try await withDeadline("copies share their cancellation") {
      let probe = Probe()
      let original = ThrowableTask { probe.actionRuns() }
      var copy = original
      copy.isCancelled = true
      let cancelled = [original.isCancelled, copy.isCancelled]
      let whileCancelled = [ending(original.awaitResult()), ending(copy.awaitResult())]
      copy.isCancelled = false
      return (probe.runs, ["\(cancelled)"] + whileCancelled + [ending(original.awaitResult()), "\(probe.runs)"])
    }
    #expect(runs == 0)
    #expect(endings == ["[true, true]", "error taskWasCancelled", "error taskWasCancelled", "value ()", "1"])
  }

  @Test func `a cancelled task among others fails their awaitAll, and not their results`() async throws {
    let (all, results) = try await withDeadline("a cancelled task among others") {
      let tasks = (0..<3).map { number in ThrowableTask { number } }
      tasks[1].cancel()
      let all = TaskResult { try tasks.awaitAll(concurrency: 1) }
      return (ending(all), tasks.awaitAllResults().map(ending))
    }
    #expect(all == "error taskWasCancelled")
    #expect(results == ["value 0", "error taskWasCancelled", "value 2"])
  }

  @Test func `a plain task is not asked whether it is cancelled`() async throws {
    struct Stubborn: TaskType, CancellableTaskType {
      let isCancelled = true

      func action(completion: @escaping @Sendable (Int) -> Void) {
        completion(42)
      }
    }
    let values = try await withDeadline("a plain task is not asked") {
      [Stubborn().await(), [Stubborn(), Stubborn()].awaitAll()[1]]
    }
    #expect(values == [42, 42])
  }
}
