import Synchronization

/// One run of Swift's `async` code on behalf of a task: where its jobs run, and what it is a part of.
///
/// What blocks the threads of Swift's own pool, of which there are only as many as cores, cannot keep this code from going on:
/// its first job runs on the thread that starts it, and the others on Taskig's workers, of which there are as many as needed.
///
/// A thread does not tell what code is a part of: an actor runs what all its callers have asked of it, one after the other, on the
/// thread of one of them. So the code itself is asked. It bears its run in a task-local value, which counts for as long as it
/// prefers the run's executor: what Swift calls an unstructured task has the former too, but not the latter.
final class AsyncRun: TaskExecutor {
  @TaskLocal private static var ofTask: AsyncRun?

  private enum FirstJob {
    case expected
    case kept(UnownedJob)
    case taken
  }

  /// The await that waits for the run; `nil` if nobody does.
  let waiter: Waiter?

  /// What calls the run off; `nil` if nothing does.
  let scope: Cancellation?

  /// The task's run, if that is watched.
  let watched: WatchedRun?

  private let first = Locked(FirstJob.expected)

  /// Makes a run for which `waiter` waits and which `scope` calls off.
  init(for waiter: Waiter?, in scope: Cancellation?, watched: WatchedRun?) {
    self.waiter = waiter
    self.scope = scope
    self.watched = watched
  }

  /// How many runs there are whose code goes on: as long as there is none, an await need not ask Swift, which takes longer than all
  /// the rest.
  private static let going = Atomic(0)

  /// The run that the calling code is a part of; `nil` if it is part of none, or if Swift takes it for a part of the task `other`.
  static func ofCode(besides other: Int?) -> AsyncRun? {
    guard going.load(ordering: .relaxed) > 0 else { return nil }
    return withUnsafeCurrentTask { task in
      guard let task, task.hashValue != other, let run = ofTask else { return nil }
      return task.unownedTaskExecutor == run.asUnownedTaskExecutor() ? run : nil
    }
  }

  /// What tells the Swift task that the calling thread runs code of from others; `nil` if there is none.
  static var currentTask: Int? {
    going.load(ordering: .relaxed) > 0 ? withUnsafeCurrentTask { $0?.hashValue } : nil
  }

  /// Runs `operation` as the code of this run.
  func perform<R: Sendable>(_ operation: () async -> R) async -> R {
    Self.going.add(1, ordering: .relaxed)
    defer { Self.going.subtract(1, ordering: .relaxed) }
    return await Self.$ofTask.withValue(self) { await operation() }
  }

  /// Keeps the first job for ``takeFirstJob()``, and hands all others to the workers.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isKept = first.withLock { first -> Bool in
      guard case .expected = first else { return false }
      first = .kept(job)
      return true
    }
    if !isKept { submit(job, .quiet) }
  }

  /// The first job, which is whoever's that asks first; those that come later go to the workers.
  func takeFirstJob() -> UnownedJob? {
    first.withLock { first in
      defer { first = .taken }
      guard case .kept(let job) = first else { return nil }
      return job
    }
  }

  func submit(_ job: UnownedJob, _ urgency: Workers.Urgency = .normal) {
    Workers.shared.submit(AsyncJob(job, of: self), urgency)
  }
}

/// What runs between two suspensions.
private final class AsyncJob: WorkItem {
  private let job: UnownedJob
  private let owner: AsyncRun

  init(_ job: UnownedJob, of owner: AsyncRun) {
    self.job = job
    self.owner = owner
  }

  func run() { job.runSynchronously(on: owner.asUnownedTaskExecutor()) }
}
