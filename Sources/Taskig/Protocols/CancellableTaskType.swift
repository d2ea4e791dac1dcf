import Foundation

/// A throwing task that can be called off.
///
/// Taskig asks before the action starts, on the queue where it would have run: if the task is cancelled by then, the action
/// never runs and the result is `CancellableTaskError.taskWasCancelled`. ``ThrowableTask`` conforms; a type of your own
/// conforms by telling its own state.
public protocol CancellableTaskType {
  /// Whether the task has been called off. Taskig may ask from any thread.
  var isCancelled: Bool { get }
}

/// The error of a task that was called off.
public enum CancellableTaskError: Error, Equatable {
  /// The task was cancelled before its action started, so the action did not run.
  case taskWasCancelled
}

extension CancellableTaskError: LocalizedError {
  /// What happened, in a whole sentence.
  public var errorDescription: String? { "The task was cancelled." }
}
