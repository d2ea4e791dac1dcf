import Dispatch
import Foundation

/// Work that cannot fail, made from a closure.
///
/// ```swift
/// let answer = Task { 6 * 7 }.await()
/// Task.async { print("from the background") }
/// ```
///
/// In files that import Taskig, `Task` is this type; Swift's own is then `_Concurrency.Task`.
///
/// A task is cold: making one runs nothing, and each `await` or `async` runs the closure again.
public struct Task<T>: TaskType, Sendable {
  /// What the task results in.
  public typealias ResultType = T

  /// The queue that the closure runs on.
  public let executionQueue: DispatchQueue

  @usableFromInline let body: Body
  @usableFromInline let origin: TaskOrigin

  @usableFromInline
  enum Body: Sendable {
    case returning(@Sendable () -> T)
    case completing(@Sendable (@escaping @Sendable (T) -> Void) -> Void)
    case chained(Chain)
  }

  /// Makes a task whose closure returns the result.
  ///
  /// The closure runs on `executionQueue`, wherever is cheapest unless you name a queue. It may block, in awaits or otherwise.
  @inlinable
  @preconcurrency
  public init(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    action: @escaping @Sendable () -> T
  ) {
    self.executionQueue = executionQueue
    self.body = .returning(action)
    self.origin = .place(CallSite(file, line))
  }

  /// Makes a task whose closure hands the result to the completion that it gets: the way to wrap a callback function.
  ///
  /// The closure runs on `executionQueue`, wherever is cheapest unless you name a queue. It calls its completion once, from
  /// any thread, now or later.
  @inlinable
  @preconcurrency
  public init(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    action: @escaping @Sendable (_ completion: @escaping @Sendable (T) -> Void) -> Void
  ) {
    self.executionQueue = executionQueue
    self.body = .completing(action)
    self.origin = .place(CallSite(file, line))
  }

  init(executionQueue: DispatchQueue, origin: TaskOrigin, body: Body) {
    self.executionQueue = executionQueue
    self.body = body
    self.origin = origin
  }

  /// Runs the closure on the calling thread; prefer ``TaskType/await(file:line:)`` and `async`, which go to the task's queue.
  @inlinable
  @preconcurrency
  public func action(completion: @escaping @Sendable (T) -> Void) {
    switch body {
    case .returning(let action): completion(action())
    case .completing(let action): action(completion)
    case .chained(let chain): Self.run(chain, completion)
    }
  }
}

extension Task: TracedTask {
  @inlinable
  static func origin<Other>(of task: Other) -> TaskOrigin { sameType(task, as: Task.self).origin }
}

extension Task {
  /// The same task under a name, by which reports and messages call it.
  public func named(_ name: String) -> Task {
    Task(executionQueue: executionQueue, origin: origin.named(name), body: body)
  }
}

extension Task: DirectTask {
  @inlinable
  static func runDirectly<Other, Outcome>(_ task: Other, as type: Outcome.Type) -> Outcome? {
    guard case .returning(let action) = sameType(task, as: Task.self).body else { return nil }
    return sameType(action(), as: type)
  }
}

extension Task {
  /// Runs `action` on `executionQueue`, blocks until it is done and returns its result.
  ///
  /// `Task.await { … }` and `Task { … }.await()` are equivalent.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `await task.value` instead.")
  @inlinable
  @discardableResult
  @preconcurrency
  public static func await(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    action: @escaping @Sendable () -> T
  ) -> T {
    Task(executionQueue: executionQueue, file: file, line: line, action: action).await(file: file, line: line)
  }
}

extension Task where T == Void {
  /// Runs `action` on `executionQueue`, `delayBy` seconds from now, and returns at once.
  ///
  /// With no queue named it runs on a thread of Taskig's own, one for each action that blocks.
  ///
  /// `action` may block. `delayBy` is in seconds; zero or less means now, infinity never. NaN traps.
  @preconcurrency
  public static func async(
    executionQueue: DispatchQueue = .taskDefault, delayBy: TimeInterval = 0,
    file: StaticString = #fileID, line: UInt = #line, action: @escaping @Sendable () -> Void
  ) {
    Task(executionQueue: executionQueue, file: file, line: line, action: action)
      .async(delayBy: delayBy, file: file, line: line)
  }
}
