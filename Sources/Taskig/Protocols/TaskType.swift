import Dispatch
import Foundation

/// A type whose values are work that cannot fail, to be run and awaited.
///
/// A conformer writes one method, ``action(completion:)``; everything else is derived from it in extensions.
///
/// ```swift
/// struct Countdown: TaskType {
///   let seconds: Int
///
///   func action(completion: @escaping @Sendable (String) -> Void) {
///     DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { completion("Lift-off") }
///   }
/// }
///
/// print(Countdown(seconds: 1).await())
/// ```
///
/// Tasks are cold: each `await` or `async` runs the action again. The action is called on ``executionQueue``, from several
/// threads at once if the task is awaited from several.
public protocol TaskType<ResultType> {
  /// What the task results in. It need not be `Sendable`: each await gets an outcome of its own.
  associatedtype ResultType

  /// What takes the result of an action, once.
  typealias ResultHandler = @Sendable (ResultType) -> Void

  /// The queue that the action runs on; ``Dispatch/DispatchQueue/taskDefault``, wherever is cheapest, unless you say otherwise.
  ///
  /// It is asked for more than once, so it should be the same queue each time.
  var executionQueue: DispatchQueue { get }

  /// Does the work, or starts it, and calls `completion` once with the result, from any thread, now or later.
  ///
  /// The first call counts. An action that lets go of `completion` without calling it will never complete: whoever awaits it
  /// is stopped with a message that says so.
  @preconcurrency
  func action(completion: @escaping @Sendable (ResultType) -> Void)
}

extension TaskType {
  /// The queue of a task that names none: the action runs wherever is cheapest.
  public var executionQueue: DispatchQueue { .taskDefault }

  /// Runs the task, blocks until it is done and returns its result.
  ///
  /// The action runs on the calling thread where that is possible: if the task names no queue, if that thread is on its queue
  /// already, or if it can enter that queue as `DispatchQueue.sync` does. The thread only blocks if the action has not
  /// completed by the time it returns. While it blocks, it is lent to work that it waits for and that needs what it holds, the
  /// main thread or a serial queue, and to nothing else.
  ///
  /// Traps when called on the main thread, outside of any task, for a task whose queue is `.main`; when the action lets go of
  /// its completion without calling it; and when tasks await each other on one queue until its thread's stack is used up.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `await task.value` instead.")
  @inlinable
  @discardableResult
  public func await(file: StaticString = #fileID, line: UInt = #line) -> ResultType {
    PlainWork(task: self).awaitOutcome(at: CallSite(file, line))
  }

  /// Runs the task and blocks until it is done, but no longer than `timeout`; `nil` if it is not done by then.
  ///
  /// The action runs on another thread, or on the task's queue, since this one must be free to return. When the time is up, the
  /// run is cancelled: the action can see it (`Task.isCancelled`), what it awaits ends, and an action that has not started, since
  /// its queue is busy say, never does. The await does not wait for any of that; what the action still does is ignored.
  ///
  /// If the calling thread holds the task's queue, only it can run the action, and returns when that does.
  ///
  /// A timeout of zero or less means that there is no time: the action does not start. One of a century or more means for ever.
  ///
  /// Traps as ``await(file:line:)`` does.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `await task.value` instead.")
  @inlinable
  public func await(timeout: Duration, file: StaticString = #fileID, line: UInt = #line) -> ResultType? {
    PlainWork(task: self).awaitOutcome(timeout: timeout, at: CallSite(file, line))
  }

  /// Starts the task and returns at once; `completion` gets the result, on the thread on which the action completes.
  ///
  /// Traps when the action lets go of its completion without calling it, since `completion` would wait for ever.
  ///
  /// `delayBy` is the seconds to wait before the action starts, which holds no thread; zero or less means now, infinity never.
  /// NaN traps.
  @preconcurrency
  public func async(
    delayBy: TimeInterval = 0, file: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (ResultType) -> Void
  ) {
    PlainWork(task: self).launch(after: delayBy, at: CallSite(file, line), receiver: completion)
  }

  /// Starts the task and returns at once; its result is thrown away.
  ///
  /// `delayBy` is the seconds to wait before the action starts, which holds no thread; zero or less means now, infinity never.
  /// NaN traps.
  public func async(delayBy: TimeInterval = 0, file: StaticString = #fileID, line: UInt = #line) {
    PlainWork(task: self).launch(after: delayBy, at: CallSite(file, line))
  }
}

/// A plain task as the runtime sees it.
@usableFromInline
struct PlainWork<T: TaskType>: TaskWork {
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
  var cancellation: Cancellation? { nil }

  @inlinable
  static var cancelled: T.ResultType? { nil }

  // A plain task has no outcome for having been called off, and whoever holds one for good must be able to.
  @inlinable
  var settled: T.ResultType? { nil }

  @inlinable
  static var onlyJoins: Bool { false }

  @inlinable
  func join(_ completion: Completion<T.ResultType>, at site: CallSite) -> Bool { false }

  @inlinable
  func runDirectly() -> T.ResultType? {
    guard task is any DirectTask, let type = T.self as? any DirectTask.Type else { return nil }
    return type.runDirectly(task, as: T.ResultType.self)
  }

  @inlinable
  func start(_ completion: @escaping @Sendable (T.ResultType) -> Void) {
    task.action(completion: completion)
  }

  @usableFromInline
  var loss: any Error { TaskigError.neverCompleted(task: name) }

  @usableFromInline
  static func failure(of outcome: T.ResultType) -> (any Error)? { nil }

  @usableFromInline
  func lost(at site: CallSite) -> T.ResultType {
    trap(
      "\(name) never completed: its action let go of the completion without calling it.",
      consequence: "Whoever waits for it would wait for ever, and a plain task has no error to tell them with.",
      remedy:
        "Call the completion once on every path of the action, or make it a ThrowableTask, whose waiters get an error.",
      at: site)
  }
}
