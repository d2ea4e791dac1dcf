import Foundation
import Taskig
import Testing

/// What holds of the forms that make a task and run it at once.
@Suite struct StaticFormLaws {
  @Test(arguments: Place.allCases)
  func `the static forms run on the queue that they are told`(place: Place) async throws {
    let (probe, endings) = try await withDeadline("static forms, \(place)") {
      let probe = Probe(place)
      let plain = caught { done in
        Task.async(executionQueue: probe.queue) {
          probe.actionRuns()
          done(ending(()))
        }
      }
      let delayed = caught { done in
        Task.async(executionQueue: probe.queue, delayBy: 0.001) {
          probe.actionRuns()
          done(ending(()))
        }
      }
      let throwing = caught { done in
        ThrowableTask.async(executionQueue: probe.queue) {
          probe.actionRuns()
          done(ending(()))
          throw Failure.broken
        }
      }
      let awaited = Task.await(executionQueue: probe.queue) {
        probe.actionRuns()
        return "awaited"
      }
      let thrown = TaskResult {
        try ThrowableTask<Int>.await(executionQueue: probe.queue) {
          probe.actionRuns()
          throw Failure.broken
        }
      }
      return (probe, [plain, delayed, throwing, ending(awaited), ending(thrown)])
    }
    #expect(endings == ["value ()", "value ()", "value ()", "value awaited", "error broken"])
    #expect(probe.runs == 5)
    #expect(probe.strays == 0)
  }

  @Test func `the static forms that await are the same as making a task and awaiting it`() async throws {
    let (plain, throwing) = try await withDeadline("static forms that await") {
      let plain = [Task.await { 6 * 7 }, Task { 6 * 7 }.await()]
      let throwing = try [ThrowableTask.await { "text" }, ThrowableTask { "text" }.await()]
      return (plain, throwing)
    }
    #expect(plain == [42, 42])
    #expect(throwing == ["text", "text"])
  }
}
