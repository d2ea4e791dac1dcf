import Dispatch
import Foundation

/// A type whose values are work that may fail, to be run and awaited.
///
/// A conformer writes one method, ``action(completion:)``; everything else is derived from it in extensions.
///
/// ```swift
/// struct Contents: ThrowableTaskType {
///   let file: URL
///
///   func action(completion: @escaping @Sendable (TaskResult<Data>) -> Void) {
///     completion(TaskResult { try Data(contentsOf: file) })
///   }
/// }
///
/// let data = try Contents(file: URL(fileURLWithPath: "/etc/hosts")).await()
/// ```
///
/// Tasks are cold: each `await` or `async` runs the action again. The action is called on ``executionQueue``, from several
/// threads at once if the task is awaited from several. A conformer that is a ``CancellableTaskType`` too can be called off.
public protocol ThrowableTaskType<ResultType> {
  /// What the task results in when it succeeds. It need not be `Sendable`: each await gets an outcome of its own.
  associatedtype ResultType

  /// What takes the outcome of an action, once.
  typealias ResultHandler = @Sendable (TaskResult<ResultType>) -> Void

  /// The queue that the action runs on; ``Dispatch/DispatchQueue/taskDefault``, wherever is cheapest, unless you say otherwise.
  ///
  /// It is asked for more than once, so it should be the same queue each time.
  var executionQueue: DispatchQueue { get }

  /// Does the work, or starts it, and calls `completion` once with the outcome, from any thread, now or later.
  ///
  /// The first call counts. If the action lets go of `completion` without calling it, the outcome is
  /// ``TaskigError/neverCompleted(task:)``.
  @preconcurrency
  func action(completion: @escaping @Sendable (TaskResult<ResultType>) -> Void)
}

extension ThrowableTaskType {
  /// The queue of a task that names none: the action runs wherever is cheapest.
  public var executionQueue: DispatchQueue { .taskDefault }

  /// Runs the task, blocks until it is done and returns its value.
  ///
  /// The action runs on the calling thread where that is possible: if the task names no queue, if that thread is on its queue
  /// already, or if it can enter that queue as `DispatchQueue.sync` does. The thread only blocks if the action has not
  /// completed by the time it returns. While it blocks, it is lent to work that it waits for and that needs what it holds, the
  /// main thread or a serial queue, and to nothing else.
  ///
  /// Traps when called on the main thread, outside of any task, for a task whose queue is `.main`; and when tasks await each
  /// other on one queue until its thread's stack is used up.
  ///
  /// If the task, or one that this await is a part of, is cancelled, an action that has not started never does, and a thread
  /// that is parked returns at once. One that runs the action itself returns when the action does.
  ///
  /// - Throws: The task's error; `CancellableTaskError.taskWasCancelled` if it was cancelled;
  ///   ``TaskigError/neverCompleted(task:)`` if the action let go of its completion without calling it.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `try await task.value` instead.")
  @inlinable
  @discardableResult
  public func await(file: StaticString = #fileID, line: UInt = #line) throws -> ResultType {
    try awaitResult(file: file, line: line).get()
  }

  /// Runs the task, blocks until it is done and returns its value or its error, as ``await(file:line:)`` would throw it.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `await task.result` instead.")
  @inlinable
  @discardableResult
  public func awaitResult(file: StaticString = #fileID, line: UInt = #line) -> TaskResult<ResultType> {
    ThrowingWork(task: self).awaitOutcome(at: CallSite(file, line))
  }

  /// Runs the task, blocks until it is done, but no longer than `timeout`, and returns its value.
  ///
  /// The action runs on another thread, or on the task's queue, since this one must be free to return. When the time is up, the
  /// run is cancelled: the action can see it (`Task.isCancelled`), what it awaits ends, and an action that has not started, since
  /// its queue is busy say, never does. The await does not wait for any of that; what the action still does is ignored. The task
  /// itself is not cancelled, and can be awaited again.
  ///
  /// If the calling thread holds the task's queue, only it can run the action, and returns when that does.
  ///
  /// A timeout of zero or less means that there is no time: the action does not start. One of a century or more means for ever.
  ///
  /// Traps as ``await(file:line:)`` does.
  ///
  /// - Throws: ``TaskigError/timedOut`` if the task was not done in time, and all that ``await(file:line:)`` throws.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `try await task.value` instead.")
  @inlinable
  @discardableResult
  public func await(timeout: Duration, file: StaticString = #fileID, line: UInt = #line) throws -> ResultType {
    try awaitResult(timeout: timeout, file: file, line: line).get()
  }

  /// Runs the task, blocks until it is done, but no longer than `timeout`, and returns its value or its error, as
  /// ``await(timeout:file:line:)`` would throw it.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `await task.result` instead.")
  @inlinable
  @discardableResult
  public func awaitResult(
    timeout: Duration, file: StaticString = #fileID, line: UInt = #line
  ) -> TaskResult<ResultType> {
    ThrowingWork(task: self).awaitOutcome(timeout: timeout, at: CallSite(file, line)) ?? .failure(TaskigError.timedOut)
  }

  /// Starts the task and returns at once; `completion` gets the outcome, on the thread on which the action completes, or on
  /// the one that cancels the task.
  ///
  /// `delayBy` is the seconds to wait before the action starts, which holds no thread; zero or less means now, infinity never.
  /// NaN traps.
  @preconcurrency
  public func async(
    delayBy: TimeInterval = 0, file: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (TaskResult<ResultType>) -> Void
  ) {
    ThrowingWork(task: self).launch(after: delayBy, at: CallSite(file, line), receiver: completion)
  }

  /// Starts the task and returns at once; its outcome is thrown away, an error too.
  ///
  /// `delayBy` is the seconds to wait before the action starts, which holds no thread; zero or less means now, infinity never.
  /// NaN traps.
  public func async(delayBy: TimeInterval = 0, file: StaticString = #fileID, line: UInt = #line) {
    ThrowingWork(task: self).launch(after: delayBy, at: CallSite(file, line))
  }
}

/// A throwing task as the runtime sees it.
@usableFromInline
struct ThrowingWork<T: ThrowableTaskType>: TaskWork {
  @usableFromInline typealias Subject = T

  @usableFromInline let task: T

  @inlinable
  init(task: T) {
    self.task = task
  }

  @inlinable
  var queue: DispatchQueue { task.executionQueue }

  @inlinable
  var origin: TaskOrigin? { .of(task) }

  @inlinable
  var cancellation: Cancellation? {
    if task is any CancellationOwner, let type = T.self as? any CancellationOwner.Type {
      return type.cancellation(of: task)
    }
    // The task is asked and not its type: a subclass of that may conform.
    guard let task = task as? any CancellableTaskType else { return nil }
    return Cancellation { task.isCancelled }
  }

  @inlinable
  static var cancelled: TaskResult<T.ResultType>? { .failure(CancellableTaskError.taskWasCancelled) }

  @inlinable
  var settled: TaskResult<T.ResultType>? {
    guard task is any SettlingTask, let type = T.self as? any SettlingTask.Type else { return nil }
    return type.settled(task, as: TaskResult<T.ResultType>.self)
  }

  @inlinable
  static var onlyJoins: Bool { T.self is any SettlingTask.Type }

  @inlinable
  func join(_ completion: Completion<TaskResult<T.ResultType>>, at site: CallSite) -> Bool {
    guard task is any SettlingTask, let type = T.self as? any SettlingTask.Type else { return false }
    type.join(task, completion, at: site)
    return true
  }

  @inlinable
  func runDirectly() -> TaskResult<T.ResultType>? {
    guard task is any DirectTask, let type = T.self as? any DirectTask.Type else { return nil }
    return type.runDirectly(task, as: TaskResult<T.ResultType>.self)
  }

  @inlinable
  func start(_ completion: @escaping @Sendable (TaskResult<T.ResultType>) -> Void) {
    task.action(completion: completion)
  }

  @usableFromInline
  func lost(at site: CallSite) -> TaskResult<T.ResultType> {
    .failure(loss)
  }

  @usableFromInline
  var loss: any Error { TaskigError.neverCompleted(task: name) }

  @usableFromInline
  static func failure(of outcome: TaskResult<T.ResultType>) -> (any Error)? { outcome.error }
}
