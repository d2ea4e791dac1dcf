import Taskig
import Testing

/// What holds of every task, whoever made it and in whichever way it is run.
///
/// Serialized, because each trial has a thread or some of its own.
@Suite(.serialized) struct TaskLaws {
  private static let all = Trial.plainTasks + Trial.throwingTasks

  @Test(arguments: all)
  func `a task ends the same in every way it is run, each time`(trial: Trial) async throws {
    let endings = try await trial.perform().endings
    #expect(!endings.isEmpty)
    #expect(endings.allSatisfy { $0 == trial.ending }, "\(endings)")
  }

  @Test(arguments: all)
  func `making a task runs nothing, and each call runs the action again`(trial: Trial) async throws {
    let runs = try await trial.perform().runs
    #expect(runs[0] == 0)
    #expect(trial.runs.contains(runs[1]))
    // Not the difference alone: whoever lost the first call's race may run during the second.
    #expect((2 * trial.runs.lowerBound...2 * trial.runs.upperBound).contains(runs[2]))
  }

  @Test(arguments: all)
  func `the action runs on the task's queue`(trial: Trial) async throws {
    let report = try await trial.perform()
    #expect(report.runs.last! > 0)
    #expect(report.strays == 0)
  }

  @Test(arguments: Trial.cancelledTasks)
  func `a cancelled task throws taskWasCancelled and its action never runs`(trial: Trial) async throws {
    let report = try await trial.perform()
    #expect(report.endings.allSatisfy { $0 == trial.ending }, "\(report.endings)")
    #expect(report.runs == [0, 0, 0])
  }
}
