import Dispatch

@testable import Taskig

/// A task of a type of its own that can be asked whether it is cancelled, and gives no notice.
struct OwnTask: ThrowableTaskType, CancellableTaskType {
  let executionQueue: DispatchQueue
  let flag = Flag()
  let run: @Sendable (@escaping @Sendable (TaskResult<Int>) -> Void) -> Void

  init(on queue: DispatchQueue = .taskDefault, _ held: Held<Int>) {
    executionQueue = queue
    run = { held.hold($0) }
  }

  init(on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable () throws -> Int) {
    executionQueue = queue
    run = { $0(TaskResult { try body() }) }
  }

  var isCancelled: Bool { flag.isOn }

  func action(completion: @escaping @Sendable (TaskResult<Int>) -> Void) { run(completion) }
}

/// Something that is so or not, for many threads.
final class Flag: Sendable {
  private let state = Locked(false)

  var isOn: Bool { state.withLock { $0 } }

  func set(_ isOn: Bool) {
    state.withLock { $0 = isOn }
  }
}
