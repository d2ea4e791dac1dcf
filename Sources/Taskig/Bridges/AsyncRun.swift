/// One run of Swift's `async` code on behalf of a task, and the executor on which it runs.
///
/// What blocks the threads of Swift's own pool, of which there are only as many as cores, cannot keep this code from going on:
/// its first job runs on the thread that starts it, and the others on Taskig's workers, of which there are as many as needed. A
/// run has an executor of its own, so that each job knows who waits for it: blocking awaits inside are lent what that await
/// holds, and are called off with it.
final class AsyncRun: TaskExecutor {
  private let waiter: Waiter?
  private let scope: Cancellation?
  private let need: MainLoopNeed?
  private let first = Locked(FirstJob.expected)

  private enum FirstJob {
    case expected
    case kept(UnownedJob)
    case begun
  }

  /// Makes one for the run that the calling thread is in.
  private init(at site: CallSite) {
    let thread = ThreadContext.current
    waiter = thread.waiterForHandedOn
    scope = thread.scope
    need = waiter.map { MainLoopNeed(for: $0, at: site) }
  }

  /// Starts `operation` for the run that the calling thread is in, which calls it off, and has `completion` take its result.
  static func start<T>(
    priority: TaskPriority?, at site: CallSite, _ operation: @escaping @Sendable () async throws -> T,
    _ completion: @escaping @Sendable (TaskResult<T>) -> Void
  ) {
    let run = AsyncRun(at: site)
    // Not detached: it takes over the priority and the task-local values of the code that is running on this thread.
    let task = _Concurrency.Task(executorPreference: run, priority: priority) {
      let result = await result(of: operation)
      run.need?.end()
      completion(result.value)
    }
    // Before the code begins: it may be cancelled as soon as it has.
    Task.onCancel { task.cancel() }
    run.begin()
  }

  /// Runs the code as far as it goes without suspending, on the calling thread, or has a worker do it.
  ///
  /// So code that does not suspend costs no change of threads. Swift has had jobs run within jobs on one thread only since it
  /// has immediate tasks, so where a Swift task is running, this one goes to a worker.
  private func begin() {
    let job = first.withLock { first -> UnownedJob? in
      defer { first = .begun }
      guard case .kept(let job) = first else { return nil }
      return job
    }
    guard let job else { return }
    let mayRunHere = ThreadContext.current.hasRoom && withUnsafeCurrentTask { $0 == nil }
    guard mayRunHere else { return Workers.shared.submit(AsyncJob(job, of: self), .urgent) }
    // In the frame of the action, which knows all that one of its own would.
    job.runSynchronously(on: asUnownedTaskExecutor())
  }

  private static func result<T>(
    of operation: @Sendable () async throws -> T
  ) async -> UncheckedTransfer<TaskResult<T>> {
    do {
      return UncheckedTransfer(.success(try await operation()))
    } catch is CancellationError {
      return UncheckedTransfer(.failure(CancellableTaskError.taskWasCancelled))
    } catch {
      return UncheckedTransfer(.failure(error))
    }
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

  fileprivate func run(_ job: UnownedJob) {
    guard let waiter else { return job.runSynchronously(on: asUnownedTaskExecutor()) }
    ThreadContext.current.continuing(for: waiter, in: scope) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
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

  func run() { owner.run(job) }
}
