import Foundation
import Taskig

extension Trial {
  /// Throwing tasks of every kind.
  static let throwingTasks: [Trial] = [
    inBothWays("a struct") { Attempt(probe: $0, outcome: $1) },
    inBothWays("a struct with a queue", .serial) { QueuedAttempt(probe: $0, outcome: $1) },
    inBothWays("a struct with a queue", .concurrent) { QueuedAttempt(probe: $0, outcome: $1) },
    inBothWays("a struct with a queue", .targeting) { QueuedAttempt(probe: $0, outcome: $1) },
    inBothWays("a struct with a queue", .main) { QueuedAttempt(probe: $0, outcome: $1) },
    inBothWays("a class that completes on a thread") { ThreadedAttempt(probe: $0, outcome: $1) },
    inBothWays("a class that completes on a thread", .serial) { ThreadedAttempt(probe: $0, outcome: $1) },
    inBothWays("a struct that completes on a queue") { RelayedAttempt(probe: $0, outcome: $1) },
    inBothWays("a struct that completes on a queue", .main) { RelayedAttempt(probe: $0, outcome: $1) },
    throwing("a class", ending: "value parsed") { Parser(probe: $0) },
    throwing("a subclass", ending: "error broken") { StrictParser(probe: $0) },
    throwing("a subclass as its superclass", ending: "error broken") { StrictParser(probe: $0) as Parser },
    throwing("an enum that succeeds", ending: "value 6") { Dice.six($0) },
    throwing("an enum that fails", ending: "error broken") { Dice.fallenOffTheTable($0) },
    throwing("a generic struct", .serial, ending: "value described 42") {
      Described(base: QueuedAttempt(probe: $0, outcome: .success(42)))
    },
    throwing("a generic struct of a stock task", .serial, ending: "error broken") {
      Described(base: returning(.failure(Failure.broken), $0))
    },
    throwing("a class that could be cancelled", .serial, ending: "value 42") { Download(probe: $0) },
    Place.allCases.flatMap { place in
      inBothWays("a task that returns or throws", place) { returning($1, $0) }
        + inBothWays("a task that completes in place", place) { completing($1, $0) }
        + inBothWays("a task that completes later", place) { completingLater($1, $0) }
        + throwing("a plain task's throwing form", place, ending: "value 42") { probe in
          Task(executionQueue: probe.queue) {
            probe.actionRuns()
            return 42
          }.throwableTask
        }
    },
  ].flatMap { $0 }

  /// Throwing tasks of every kind that have been called off.
  static let cancelledTasks: [Trial] = [
    calledOff("a struct", .serial) { CalledOff(probe: $0) },
    calledOff("a struct", .main) { CalledOff(probe: $0) },
    calledOff("a class") { Download(probe: $0, isCancelled: true) },
    calledOff("a class", .serial) { Download(probe: $0, isCancelled: true) },
    calledOff("a subclass of one that cannot be") { CancelledParser(probe: $0) },
    calledOff("a subclass as a superclass that cannot be") { CancelledParser(probe: $0) as Parser },
    calledOff("a generic struct", .serial) { Described(base: Download(probe: $0, isCancelled: true)) },
    Place.allCases.flatMap { place in
      calledOff("a task that returns or throws", place) {
        let task = returning(.success(42), $0)
        task.cancel()
        return task
      }
        + calledOff("a task that completes later", place) {
          var task = completingLater(.success(42), $0)
          task.isCancelled = true
          return task
        }
    },
  ].flatMap { $0 }

  private static func inBothWays(
    _ name: String, _ place: Place = .anywhere, make: @escaping @Sendable (Probe, TaskResult<Int>) -> Throwing
  ) -> [Trial] {
    throwing("\(name), succeeding", place, ending: "value 42") { make($0, .success(42)) }
      + throwing("\(name), failing", place, ending: "error broken") { make($0, .failure(Failure.broken)) }
  }

  private static func calledOff(
    _ name: String, _ place: Place = .anywhere, make: @escaping @Sendable (Probe) -> Throwing
  ) -> [Trial] {
    throwing(name, place, ending: "error taskWasCancelled", make: make)
  }

  private static func returning(_ outcome: TaskResult<Int>, _ probe: Probe) -> ThrowableTask<Int> {
    ThrowableTask(executionQueue: probe.queue) {
      probe.actionRuns()
      return try outcome.get()
    }
  }

  private static func completing(_ outcome: TaskResult<Int>, _ probe: Probe) -> ThrowableTask<Int> {
    ThrowableTask(executionQueue: probe.queue) { completion in
      probe.actionRuns()
      completion(outcome)
    }
  }

  private static func completingLater(_ outcome: TaskResult<Int>, _ probe: Probe) -> ThrowableTask<Int> {
    ThrowableTask(executionQueue: probe.queue) { completion in
      probe.actionRuns()
      DispatchQueue.global().async { completion(outcome) }
    }
  }
}
