import Foundation
import Taskig

/// A struct that has been called off from the start.
struct CalledOff: ThrowableTaskType, CancellableTaskType {
  let probe: Probe
  let isCancelled = true
  var executionQueue: DispatchQueue { probe.queue }

  func action(completion: @escaping @Sendable (TaskResult<Int>) -> Void) {
    probe.actionRuns()
    completion(.success(42))
  }
}

/// A final class that can be called off at any time, from any thread.
final class Download: ThrowableTaskType, CancellableTaskType, Sendable {
  let probe: Probe
  private let flag = Shared(false)

  init(probe: Probe, isCancelled: Bool = false) {
    self.probe = probe
    flag.withLock { $0 = isCancelled }
  }

  var isCancelled: Bool { flag.current }
  var executionQueue: DispatchQueue { probe.queue }

  func cancel() {
    flag.withLock { $0 = true }
  }

  func action(completion: @escaping @Sendable (TaskResult<Int>) -> Void) {
    probe.actionRuns()
    DispatchQueue.global().async { completion(.success(42)) }
  }
}

/// A subclass that adds cancellation to a superclass that knows nothing of it.
final class CancelledParser: Parser, CancellableTaskType {
  var isCancelled: Bool { true }
}

/// A generic conformer can be called off if what is in it can.
extension Described: CancellableTaskType where Base: CancellableTaskType {
  var isCancelled: Bool { base.isCancelled }
}
