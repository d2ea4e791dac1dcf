import Foundation

@testable import Taskig

/// A way to begin a run of a task and to hear how it ends.
enum EntryPoint: CaseIterable, Sendable {
  case await
  case awaitInTime
  case async
  case start
  case all
  case first
  case mapped
  case nested
  case runLoop
  case value
  case asCompleted

  /// Begins a run of `task` and returns at once; `hear` is told how it ends, in time or not if there is a way to say so here.
  func begin(_ task: ThrowableTask<Int>, timeout: Duration = .seconds(3_600), _ hear: @escaping @Sendable (End) -> Void)
  {
    switch self {
    case .async: task.async { hear(End($0)) }
    case .start: task.start().async { hear(End($0)) }
    case .value: AsyncAside { hear(End(await task.result)) }.goOn()
    case .asCompleted:
      AsyncAside {
        for await (_, result) in [task].resultsAsCompleted() { hear(End(result)) }
      }.goOn()
    default: Thread.detachNewThread { hear(blockingEnd(of: task, timeout)) }
    }
  }

  /// Whether it makes use of the timeout.
  var hasTimeout: Bool { self == .awaitInTime || self == .runLoop }

  private func blockingEnd(of task: ThrowableTask<Int>, _ timeout: Duration) -> End {
    switch self {
    case .awaitInTime: End(task.awaitResult(timeout: timeout))
    case .all: End([task].awaitAllResults()[0])
    case .first: End(TaskResult { try [task].awaitFirst() })
    case .mapped: End(task.map { $0 }.awaitResult())
    case .nested: End(ThrowableTask { try task.await() }.awaitResult())
    case .runLoop: End(TaskResult { try task.awaitInRunLoop(timeout: timeout) })
    default: End(task.awaitResult())
    }
  }
}

extension AsyncAside {
  /// Nobody asks for its result.
  fileprivate func goOn() {}
}
