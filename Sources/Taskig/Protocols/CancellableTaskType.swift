import Foundation

/// A throwing task that can be called off.
///
/// ``ThrowableTask`` conforms; a type of your own conforms by telling its own state. If the task is cancelled before its action
/// starts, the action never runs. While it runs, the action and what it awaits can see it (`Task.isCancelled`), and a thread
/// that is parked in an await of it returns at once. Either way the result is `CancellableTaskError.taskWasCancelled`. A thread
/// that runs the action itself returns when the action does, with what that ends with.
///
/// A type of your own gives no notice when its state changes. So as long as somebody waits for it, Taskig asks again and
/// again, about a hundred times a second.
public protocol CancellableTaskType {
  /// Whether the task has been called off. Taskig may ask from any thread, and often.
  var isCancelled: Bool { get }
}

/// The error of a task that was called off.
public enum CancellableTaskError: Error, Equatable {
  /// The task, or one that awaited it, was cancelled. If that was before its action started, the action did not run.
  case taskWasCancelled
}

extension Error {
  /// Whether this says that something was cancelled, in Taskig or in Swift's own concurrency.
  var isCancellation: Bool { self is CancellableTaskError || self is CancellationError || self is CancelledBySignal }
}

extension Result where Failure == any Error {
  /// Whether this is the result of something that was cancelled, in Taskig (`CancellableTaskError.taskWasCancelled`,
  /// ``CancelledBySignal``) or in Swift's own concurrency (`CancellationError`).
  public var isCancelled: Bool { error?.isCancellation ?? false }
}

extension CancellableTaskError: LocalizedError {
  /// What happened, in a whole sentence.
  public var errorDescription: String? { "The task was cancelled." }
}
