/// Something that happened to one run of a task.
///
/// What happens to a run, happens in this order: it is made; its action starts, which then holds the thread until it returns; it
/// finishes, just before its action returns or, if that takes a completion, when that is called. Whoever awaits it may park meanwhile,
/// and resumes afterwards. A run that is called off may end before it has started.
public struct TaskEvent: Sendable {
  /// What can happen.
  public enum Kind: Sendable {
    /// Somebody has begun to await the task, or has started it; on the thread that did.
    case made

    /// The action begins; on the thread that runs it, which is on the run's queue.
    ///
    /// The await of a shared task does not start: it joins a run, and finishes when it resumes.
    case started

    /// The action has returned, and its thread is free; on that thread. One that takes a completion may not be finished by then.
    case returned

    /// The outcome is there: a failure with this error, or a value; on the thread that brought it. It comes once, unless the run
    /// is cancelled before it has started.
    case finished((any Error)?)

    /// Whoever awaits the run has been told that it was called off, or that its time is up, before it was finished; or it was
    /// called off with others that it is awaited together with. Once, on any thread.
    ///
    /// Its action may go on, and finish later. One that sees by itself that it was called off finishes with that error.
    case cancelled

    /// A thread waits, on that thread: the one that awaits the run, or the one that its action is on, in a sleep say. Meanwhile it
    /// may be lent to what it waits for.
    case parked

    /// That thread goes on.
    case resumed
  }

  /// What happened.
  public let kind: Kind

  /// The run that it happened to.
  public let run: TaskRun

  /// When it happened.
  public let time: ContinuousClock.Instant
}
