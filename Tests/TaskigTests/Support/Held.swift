import Dispatch
import Foundation

@testable import Taskig

/// Completions that actions have handed over, for the test to call when it wants to.
final class Held<Value>: Sendable {
  typealias Complete = @Sendable (TaskResult<Value>) -> Void

  private let completions = Locked<[Complete]>([])
  private let begun = Counter()

  /// A task whose action hands its completion over and returns.
  func task(on queue: DispatchQueue = .taskDefault) -> ThrowableTask<Value> {
    ThrowableTask(executionQueue: queue) { completion in self.hold(completion) }
  }

  func hold(_ completion: @escaping Complete) {
    completions.withLock { $0.append(completion) }
    begun.increment()
  }

  /// Whether so many actions come to hand over their completions.
  func hasBegun(_ count: Int = 1) -> Bool { eventually { begun.value >= count } }

  /// How many actions have.
  var count: Int { begun.value }

  /// Calls all that are held, each with all `results`, and keeps them.
  func complete(_ results: TaskResult<Value>...) {
    for completion in completions.withLock({ $0 }) {
      for result in results { completion(result) }
    }
  }

  /// Calls all that are held, each with `result`, and lets go of them.
  func release(_ result: TaskResult<Value>) {
    let released = completions.withLock { completions in
      defer { completions = [] }
      return completions
    }
    for completion in released { completion(result) }
  }

  /// Lets go of all that are held.
  func drop() {
    let dropped = completions.withLock { completions in
      defer { completions = [] }
      return completions
    }
    withExtendedLifetime(dropped) {}
  }
}

/// What a task of a test ended with, to be compared.
enum End: Hashable, Sendable {
  case value(Int)
  case failed
  case cancelled
  case timedOut
  case lost
  case unexpected(String)

  init(_ result: TaskResult<Int>) {
    switch result {
    case .success(let value): self = .value(value)
    case .failure(is Failed): self = .failed
    case .failure(CancellableTaskError.taskWasCancelled): self = .cancelled
    case .failure(TaskigError.timedOut): self = .timedOut
    case .failure(TaskigError.neverCompleted): self = .lost
    case .failure(let error): self = .unexpected("\(error)")
    }
  }
}

/// The error of a test's task.
struct Failed: Error, Equatable {
  var number = 0
}
