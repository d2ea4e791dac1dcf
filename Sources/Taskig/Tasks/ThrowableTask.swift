import Dispatch
import Foundation

/// Work that may fail and can be called off, made from a closure.
///
/// ```swift
/// let text = try ThrowableTask { try String(contentsOfFile: "/etc/hosts", encoding: .utf8) }.await()
/// ```
///
/// A task is cold: making one runs nothing, and each `await` or `async` runs the closure again. Copies of a task share its
/// cancellation.
public struct ThrowableTask<T>: ThrowableTaskType, CancellableTaskType, Sendable {
  /// What the task results in when it succeeds.
  public typealias ResultType = T

  /// The queue that the closure runs on.
  public let executionQueue: DispatchQueue

  @usableFromInline let body: Body
  @usableFromInline let origin: TaskOrigin
  @usableFromInline let cancellation: Cancellation

  @usableFromInline
  enum Body: Sendable {
    case returning(@Sendable () throws -> T)
    case completing(@Sendable (@escaping @Sendable (TaskResult<T>) -> Void) -> Void)
    case chained(Chain)
  }

  /// Makes a task whose closure returns the value or throws.
  ///
  /// The closure runs on `executionQueue`, wherever is cheapest unless you name a queue. It may block, in awaits or otherwise.
  @inlinable
  @preconcurrency
  public init(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    action: @escaping @Sendable () throws -> T
  ) {
    self.executionQueue = executionQueue
    self.body = .returning(action)
    self.origin = .place(CallSite(file, line))
    self.cancellation = Cancellation()
  }

  /// Makes a task whose closure hands the outcome to the completion that it gets: the way to wrap a callback function.
  ///
  /// The closure runs on `executionQueue`, wherever is cheapest unless you name a queue. It calls its completion once, from
  /// any thread, now or later.
  @inlinable
  @preconcurrency
  public init(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    action: @escaping @Sendable (_ completion: @escaping @Sendable (TaskResult<T>) -> Void) -> Void
  ) {
    self.executionQueue = executionQueue
    self.body = .completing(action)
    self.origin = .place(CallSite(file, line))
    self.cancellation = Cancellation()
  }

  init(executionQueue: DispatchQueue, origin: TaskOrigin, body: Body, cancellation: Cancellation = Cancellation()) {
    self.executionQueue = executionQueue
    self.body = body
    self.origin = origin
    self.cancellation = cancellation
  }

  /// Runs the closure on the calling thread, cancelled or not; prefer ``ThrowableTaskType/await(file:line:)`` and `async`.
  @inlinable
  @preconcurrency
  public func action(completion: @escaping @Sendable (TaskResult<T>) -> Void) {
    switch body {
    case .returning(let action): completion(TaskResult { try action() })
    case .completing(let action): action(completion)
    case .chained(let chain): Self.run(chain, completion)
    }
  }

  /// Whether the task, and with it every copy, has been called off; from any thread.
  ///
  /// Set before the closure starts, it never runs. While it runs, it can see it (`Task.isCancelled`), what it awaits ends, and
  /// a thread that is parked in an await of the task returns at once. Setting it back lets later awaits run the closure again;
  /// what has been called off stays so.
  public var isCancelled: Bool {
    get { cancellation.isCancelled }
    // It could be `nonmutating`, but then the original's `var task = …; task.isCancelled = true` earns a warning that `task`
    // is never mutated. `cancel()` is for constants.
    set { if newValue { cancellation.cancel() } else { cancellation.reset() } }
  }

  /// Calls the task, and with it every copy, off: `isCancelled = true`, for constants too; from any thread.
  public func cancel() {
    cancellation.cancel()
  }
}

extension ThrowableTask: TracedTask {
  @inlinable
  static func origin<Other>(of task: Other) -> TaskOrigin { sameType(task, as: ThrowableTask.self).origin }
}

extension ThrowableTask {
  /// The same task under a name, by which reports and messages call it; a copy, which shares the cancellation.
  public func named(_ name: String) -> ThrowableTask {
    ThrowableTask(
      executionQueue: executionQueue, origin: origin.named(name), body: body, cancellation: cancellation)
  }
}

extension ThrowableTask: DirectTask {
  @inlinable
  static func runDirectly<Other, Outcome>(_ task: Other, as type: Outcome.Type) -> Outcome? {
    guard case .returning(let action) = sameType(task, as: ThrowableTask.self).body else { return nil }
    return sameType(TaskResult { try action() }, as: type)
  }
}

extension ThrowableTask: CancellationOwner {
  @inlinable
  static func cancellation<Other>(of task: Other) -> Cancellation? {
    sameType(task, as: ThrowableTask.self).cancellation
  }
}

extension ThrowableTask {
  /// Runs `action` on `executionQueue`, blocks until it is done and returns its value.
  ///
  /// `try ThrowableTask.await { … }` and `try ThrowableTask { … }.await()` are equivalent.
  ///
  /// - Throws: What `action` throws.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `try await task.value` instead.")
  @inlinable
  @discardableResult
  @preconcurrency
  public static func await(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    action: @escaping @Sendable () throws -> T
  ) throws -> T {
    try ThrowableTask(executionQueue: executionQueue, file: file, line: line, action: action).await(
      file: file, line: line)
  }
}

extension ThrowableTask where T == Void {
  /// Runs `action` on `executionQueue`, `delayBy` seconds from now, and returns at once; an error is thrown away.
  ///
  /// `action` may block. `delayBy` is in seconds; zero or less means now, infinity never. NaN traps.
  @preconcurrency
  public static func async(
    executionQueue: DispatchQueue = .taskDefault, delayBy: TimeInterval = 0,
    file: StaticString = #fileID, line: UInt = #line, action: @escaping @Sendable () throws -> Void
  ) {
    ThrowableTask(executionQueue: executionQueue, file: file, line: line, action: action)
      .async(delayBy: delayBy, file: file, line: line)
  }
}
