import Foundation

/// What Taskig itself reports as an error, where the code that awaits can do something about it.
///
/// What only a programmer can mend, such as an await that could never end, traps instead, with the caller's file and line.
public enum TaskigError: Error, Equatable {
  /// The first of no tasks was asked for: check that the collection is not empty, or use `awaitAll`, which gives `[]`.
  case emptySequence

  /// The action let go of its completion without calling it, so its outcome will never come.
  ///
  /// `task` tells which task it was and where it was made. Call the completion once on every path of the action, the failing
  /// ones included.
  case neverCompleted(task: String)

  /// A function that `ThrowableTask.adapting` has adapted called its completion with neither a value nor an error.
  ///
  /// `task` tells which task it was and where it was made. Have the function pass one of them. If neither is an outcome too,
  /// make the task from a closure, which says what that means.
  case neitherValueNorError(task: String)

  /// The time that an await was given was up before the outcome was there. The run has been cancelled.
  case timedOut
}

extension TaskigError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension TaskigError: CustomStringConvertible {
  /// What is wrong and what to do, in whole sentences.
  public var description: String {
    switch self {
    case .emptySequence:
      "There is no first result of no tasks. Check that the collection is not empty before awaitFirst."
    case .neverCompleted(let task):
      "\(task) never completed: its completion was let go of without having been called, or the source without having been set. "
        + "Call the completion once, or set the source, on every path, the failing ones included."
    case .neitherValueNorError(let task):
      "\(task) got neither a value nor an error: the function that it calls passed nil for both. "
        + "Have the function pass one of them. If neither is an outcome too, make the task from a closure, "
        + "which says what that means."
    case .timedOut:
      "The task was not done in time, and has been cancelled. Give it longer, or find out what holds it up."
    }
  }
}
