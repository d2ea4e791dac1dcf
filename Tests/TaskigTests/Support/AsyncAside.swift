import Dispatch

@testable import Taskig

/// Async code of a test's, on a thread of its own, and whose result the test asks for when it wants to.
///
/// Swift's own pool is as wide as the machine has cores and full of other tests that block: there each step of the code would
/// wait for one of them to end.
final class AsyncAside<Value: Sendable>: Sendable {
  private let value: Locked<Value?>
  private let done: Gate
  private let task: _Concurrency.Task<Void, Never>

  init(priority: TaskPriority? = nil, _ body: @escaping @Sendable () async -> Value) {
    let (value, done) = (Locked<Value?>(nil), Gate())
    (self.value, self.done) = (value, done)
    task = _Concurrency.Task(executorPreference: OwnExecutor(), priority: priority) {
      let result = await body()
      value.withLock { $0 = result }
      done.open()
    }
  }

  /// Cancels the Swift task.
  func cancel() { task.cancel() }

  /// The result; `nil` if it does not come within `seconds`.
  func result(within seconds: Double = 30) -> Value? {
    done.pass(within: seconds) ? value.withLock { $0 } : nil
  }

  var isDone: Bool { value.withLock { $0 != nil } }
}

/// Runs jobs one after the other on a queue of its own.
private final class OwnExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "tests.async")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// Suspends async code until it is opened; then it stays open. Cancellation makes no difference to it.
final class AsyncGate: Sendable {
  private let state = Locked((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for each in waiting { each.resume() }
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

extension Held {
  /// Suspends until somebody calls the completion that it holds.
  func outcome() async -> TaskResult<Value> where Value: Sendable {
    await withCheckedContinuation { continuation in hold { continuation.resume(returning: $0) } }
  }
}
