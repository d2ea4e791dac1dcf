/// One run of a task, or of several that are awaited together, as those see it who observe it.
///
/// Tasks are cold, so each await of one and each start is a run of its own.
public struct TaskRun: Identifiable, Sendable {
  /// A number that no other run in this process has; those made later have greater ones.
  public let id: UInt64

  /// The run that this one was made in, which waits for it if it ``isAwaited``; `nil` if it was made outside of tasks.
  public let parent: UInt64?

  /// What the user calls the task, or its type if it has no name.
  public let name: String

  /// The task as messages call it: its type, its name if it has one, and where it was made.
  public let task: String

  /// The file in which it is awaited or started.
  public let file: String

  /// The line on which it is awaited or started.
  public let line: UInt

  /// The label of the queue that the task names; `nil` if it names none.
  public let queue: String?

  /// Whether it is awaited, and not started to go on by itself.
  public let isAwaited: Bool
}
