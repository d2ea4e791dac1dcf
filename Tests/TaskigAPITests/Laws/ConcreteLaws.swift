import Foundation
import Taskig
import Testing

/// That it makes no difference whether the compiler knows a task's type where the task is run.
///
/// `Way` runs tasks through generic functions; here the same lines are written with the types in plain sight, where the
/// compiler may pick an overload of the type's own and inline what it can.
@Suite struct ConcreteLaws {
  @Test(arguments: Place.allCases)
  func `a stock task`(place: Place) async throws {
    let (probe, endings) = try await withDeadline("a stock task, concretely, \(place)") {
      let probe = Probe(place)
      let task = Task(executionQueue: probe.queue) {
        probe.actionRuns()
        return 42
      }
      let endings = [
        task.await(),
        caught { done in task.async { done($0) } },
        caught { done in task.async(delayBy: 0.001) { done($0) } },
        [task].awaitAll()[0],
        [task, task].awaitAll(concurrency: 1)[1],
        [task].awaitFirst(),
        ["key": task].awaitAll()["key"]!,
        ["key": task].awaitFirst(),
        try task.throwableTask.await(),
      ]
      return (probe, endings)
    }
    #expect(endings == [Int](repeating: 42, count: 9))
    #expect(probe.runs == 10)
    #expect(probe.strays == 0)
  }

  @Test(arguments: Place.allCases)
  func `a stock task that completes`(place: Place) async throws {
    let (probe, endings) = try await withDeadline("a stock task that completes, concretely, \(place)") {
      let probe = Probe(place)
      let task = Task<Int>(executionQueue: probe.queue) { completion in
        probe.actionRuns()
        completion(42)
      }
      let endings = [
        task.await(),
        caught { done in task.async { done($0) } },
        caught { done in task.async(delayBy: 0.001) { done($0) } },
        [task].awaitAll()[0],
        [task, task].awaitAll(concurrency: 1)[1],
        [task].awaitFirst(),
        ["key": task].awaitAll()["key"]!,
        ["key": task].awaitFirst(),
        try task.throwableTask.await(),
      ]
      return (probe, endings)
    }
    #expect(endings == [Int](repeating: 42, count: 9))
    #expect(probe.runs == 10)
    #expect(probe.strays == 0)
  }

  @Test(arguments: Place.allCases)
  func `a stock throwing task`(place: Place) async throws {
    let (probe, endings) = try await withDeadline("a stock throwing task, concretely, \(place)") {
      let probe = Probe(place)
      let task = ThrowableTask(executionQueue: probe.queue) { () throws -> Int in
        probe.actionRuns()
        return 42
      }
      let endings = [
        try task.await(),
        try task.awaitResult().get(),
        try caught { done in task.async { done($0) } }.get(),
        try caught { done in task.async(delayBy: 0.001) { done($0) } }.get(),
        try [task].awaitAll()[0],
        try [task, task].awaitAllResults(concurrency: 1)[1].get(),
        try [task].awaitFirst(),
        try [task].awaitFirstResult().get(),
        try ["key": task].awaitAll()["key"]!,
        try ["key": task].awaitAllResults()["key"]!.get(),
        try ["key": task].awaitFirst(),
        try ["key": task].awaitFirstResult().get(),
      ]
      return (probe, endings)
    }
    #expect(endings == [Int](repeating: 42, count: 12))
    #expect(probe.runs == 13)
    #expect(probe.strays == 0)
  }

  @Test(arguments: Place.allCases)
  func `conformers`(place: Place) async throws {
    let (probe, endings) = try await withDeadline("conformers, concretely, \(place)") {
      let probe = Probe(place)
      let plain = Queued(probe: probe)
      let throwing = QueuedAttempt(probe: probe, outcome: .success(42))
      let endings = [
        plain.await(),
        caught { done in plain.async { done($0) } },
        [plain, plain].awaitAll()[1],
        ["key": plain].awaitFirst(),
        try throwing.await(),
        try throwing.awaitResult().get(),
        try caught { done in throwing.async { done($0) } }.get(),
        try [throwing, throwing].awaitAll()[1],
        try ["key": throwing].awaitFirst(),
      ]
      return (probe, endings)
    }
    #expect(endings == [Int](repeating: 42, count: 9))
    #expect(probe.runs == 11)
    #expect(probe.strays == 0)
  }
}
