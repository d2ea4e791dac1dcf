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

  /// The await that waits for the run; `nil` if nobody does.
  let waiter: Waiter?

  /// What calls the run off; `nil` if nothing does.
  let scope: Cancellation?

  private let need: MainLoopNeed?
  private let first = Locked(FirstJob.expected)

  private enum FirstJob {
    case expected
    case kept(UnownedJob)
    case begun
  }

  /// Makes one for the run that the calling thread is in, begun at `site`.
  init(at site: CallSite) {
    let thread = ThreadContext.current
    waiter = thread.waiterForHandedOn
    scope = thread.scope
    need = waiter.map { MainLoopNeed(for: $0, at: site) }
  }

  /// The run that the calling code is a part of; `nil` if it is part of none.
  static var current: AsyncRun? {
    withUnsafeCurrentTask { task in
      guard let task, let run = ofTask else { return nil }
      return task.unownedTaskExecutor == run.asUnownedTaskExecutor() ? run : nil
    }
  }

  /// Runs `operation` as the code of this run, which is over when it returns.
  func perform<R: Sendable>(_ operation: () async -> R) async -> R {
    let result = await Self.$ofTask.withValue(self) { await operation() }
    need?.end()
    return result
  }

  /// Runs the code as far as it goes without suspending, on the calling thread, or has a worker do it.
  ///
  /// So code that does not suspend costs no change of threads. Swift has had jobs run within jobs on one thread only since it
  /// has immediate tasks, so where a Swift task is running, this one goes to a worker.
  func begin() {
    let job = first.withLock { first -> UnownedJob? in
      defer { first = .begun }
      guard case .kept(let job) = first else { return nil }
      return job
    }
    guard let job else { return }
    let thread = ThreadContext.current
    guard thread.hasRoom, withUnsafeCurrentTask(body: { $0 == nil }) else {
      return Workers.shared.submit(AsyncJob(job, of: self))
    }
    thread.withoutTask { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isKept = first.withLock { first -> Bool in
      guard case .expected = first else { return false }
      first = .kept(job)
      return true
    }
    if !isKept { Workers.shared.submit(AsyncJob(job, of: self), .quiet) }
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
