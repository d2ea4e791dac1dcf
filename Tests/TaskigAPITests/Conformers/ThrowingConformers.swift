import Foundation
import Taskig

/// What the failing conformers fail with.
enum Failure: Error {
  case broken
}

/// A struct that completes in place, one way or the other, and names no queue.
struct Attempt: ThrowableTaskType {
  let probe: Probe
  let outcome: TaskResult<Int>

  func action(completion: @escaping @Sendable (TaskResult<Int>) -> Void) {
    probe.actionRuns()
    completion(outcome)
  }
}

/// A struct that names its queue, and does not declare its completion `@Sendable`.
struct QueuedAttempt: ThrowableTaskType {
  let probe: Probe
  let outcome: TaskResult<Int>
  var executionQueue: DispatchQueue { probe.queue }

  func action(completion: @escaping (TaskResult<Int>) -> Void) {
    probe.actionRuns()
    completion(outcome)
  }
}

/// A final class that completes later on a thread, and spells its completion with the protocol's own name for it.
final class ThreadedAttempt: ThrowableTaskType {
  typealias ResultType = Int

  let probe: Probe
  let outcome: TaskResult<Int>

  init(probe: Probe, outcome: TaskResult<Int>) {
    self.probe = probe
    self.outcome = outcome
  }

  var executionQueue: DispatchQueue { probe.queue }

  func action(completion: @escaping ResultHandler) {
    probe.actionRuns()
    Thread.detachNewThread { [outcome] in completion(outcome) }
  }
}

/// A struct that completes on a serial queue of its own.
struct RelayedAttempt: ThrowableTaskType {
  let probe: Probe
  let outcome: TaskResult<Int>
  let relay = DispatchQueue(label: "tests.relay")
  var executionQueue: DispatchQueue { probe.queue }

  func action(completion: @escaping @Sendable (TaskResult<Int>) -> Void) {
    probe.actionRuns()
    relay.async { completion(outcome) }
  }
}

/// A class that is open to subclasses.
class Parser: ThrowableTaskType {
  let probe: Probe

  init(probe: Probe) {
    self.probe = probe
  }

  func action(completion: @escaping @Sendable (TaskResult<String>) -> Void) {
    probe.actionRuns()
    completion(.success("parsed"))
  }
}

/// A subclass that fails where its superclass succeeds.
final class StrictParser: Parser {
  override func action(completion: @escaping @Sendable (TaskResult<String>) -> Void) {
    super.action { outcome in
      completion(outcome.flatMap { _ in .failure(Failure.broken) })
    }
  }
}

/// An enum, with one case of each kind.
enum Dice: ThrowableTaskType {
  case six(Probe)
  case fallenOffTheTable(Probe)

  func action(completion: @escaping @Sendable (TaskResult<Int>) -> Void) {
    switch self {
    case .six(let probe):
      probe.actionRuns()
      completion(.success(6))
    case .fallenOffTheTable(let probe):
      probe.actionRuns()
      DispatchQueue.global().async { completion(.failure(Failure.broken)) }
    }
  }
}

/// A generic conformer that knows nothing of the task in it.
struct Described<Base: ThrowableTaskType>: ThrowableTaskType {
  let base: Base

  var executionQueue: DispatchQueue { base.executionQueue }

  func action(completion: @escaping @Sendable (TaskResult<String>) -> Void) {
    base.action { outcome in completion(outcome.map { "described \($0)" }) }
  }
}
