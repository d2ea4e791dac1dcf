import Foundation
import Taskig

/// A struct that completes in place and names no queue.
struct Constant: TaskType {
  let probe: Probe

  func action(completion: @escaping @Sendable (Int) -> Void) {
    probe.actionRuns()
    completion(42)
  }
}

/// A struct that names its queue and does not declare its completion `@Sendable`.
struct Queued: TaskType {
  let probe: Probe
  var executionQueue: DispatchQueue { probe.queue }

  func action(completion: @escaping (Int) -> Void) {
    probe.actionRuns()
    completion(42)
  }
}

/// A final class that completes later on a global queue.
final class Later: TaskType, Sendable {
  let probe: Probe
  let executionQueue: DispatchQueue

  init(probe: Probe) {
    self.probe = probe
    executionQueue = probe.queue
  }

  func action(completion: @escaping @Sendable (Int) -> Void) {
    probe.actionRuns()
    DispatchQueue.global().async { completion(42) }
  }
}

/// A final class that completes later on a thread, and spells its completion with the protocol's own name for it.
final class Threaded: TaskType {
  typealias ResultType = Int

  let probe: Probe

  init(probe: Probe) {
    self.probe = probe
  }

  func action(completion: @escaping ResultHandler) {
    probe.actionRuns()
    Thread.detachNewThread { completion(42) }
  }
}

/// A struct that completes on a serial queue of its own.
struct Relayed: TaskType {
  let probe: Probe
  let relay = DispatchQueue(label: "tests.relay")
  var executionQueue: DispatchQueue { probe.queue }

  func action(completion: @escaping @Sendable (Int) -> Void) {
    probe.actionRuns()
    relay.async { completion(42) }
  }
}

/// A class that is open to subclasses.
class Shape: TaskType {
  let probe: Probe

  init(probe: Probe) {
    self.probe = probe
  }

  var executionQueue: DispatchQueue { .taskDefault }

  func action(completion: @escaping @Sendable (String) -> Void) {
    probe.actionRuns()
    completion("shape")
  }
}

/// A subclass that has another queue, and adds to what its superclass does.
final class Circle: Shape {
  override var executionQueue: DispatchQueue { probe.queue }

  override func action(completion: @escaping @Sendable (String) -> Void) {
    super.action { completion("round \($0)") }
  }
}

/// A subclass that adds nothing.
final class Square: Shape {}

/// An enum, with one case of each kind.
enum Weather: TaskType {
  case sunny(Probe)
  case rainy(Probe)

  func action(completion: @escaping @Sendable (String) -> Void) {
    switch self {
    case .sunny(let probe):
      probe.actionRuns()
      completion("sunny")
    case .rainy(let probe):
      probe.actionRuns()
      DispatchQueue.global().async { completion("rainy") }
    }
  }
}

/// A generic conformer that knows nothing of the task in it.
struct Mapped<Base: TaskType, Output>: TaskType {
  let base: Base
  let transform: @Sendable (Base.ResultType) -> Output

  var executionQueue: DispatchQueue { base.executionQueue }

  func action(completion: @escaping @Sendable (Output) -> Void) {
    base.action { [transform] in completion(transform($0)) }
  }
}

/// An actor, whose action is nobody's.
actor Account: TaskType {
  let probe: Probe

  init(probe: Probe) {
    self.probe = probe
  }

  nonisolated var executionQueue: DispatchQueue { probe.queue }

  nonisolated func action(completion: @escaping @Sendable (Int) -> Void) {
    probe.actionRuns()
    completion(42)
  }
}
