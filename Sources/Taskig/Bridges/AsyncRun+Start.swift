extension AsyncRun {
  /// Starts `operation` for the run that the calling thread is in, which calls it off, and has `completion` take its result.
  static func start<T>(
    priority: TaskPriority?, at site: CallSite, _ operation: @escaping @Sendable () async throws -> T,
    _ completion: @escaping @Sendable (TaskResult<T>) -> Void
  ) {
    let thread = ThreadContext.current
    let run = AsyncRun(for: thread.waiterForHandedOn, in: thread.scope, watched: thread.watched)
    // Code of another run that waits for this one has said already that the main queue may be needed, unless it is there itself.
    let isSaid = !thread.isMain && thread.asyncRun?.waiter != nil
    let need = isSaid ? nil : run.waiter.map { MainLoopNeed(for: $0, at: site) }
    // Not detached: it takes over the priority and the task-local values of the code that is running on this thread.
    let task = _Concurrency.Task(executorPreference: run, priority: priority) {
      let result = await run.perform { await Self.result(of: operation) }
      need?.end()
      completion(result.value)
    }
    // Before the code begins: it may be cancelled as soon as it has.
    Task.onCancel { task.cancel() }
    run.begin(on: thread)
  }

  /// Runs the code as far as it goes without suspending, on the calling thread, or has a worker do it.
  ///
  /// So code that does not suspend costs no change of threads. But `async` code relies on being on no queue of the user's, nor on
  /// the main thread, and may wait for them in its own ways. And Swift has had jobs run within jobs on one thread only since it has
  /// immediate tasks. Where it is so, a worker does it.
  private func begin(on thread: ThreadContext) {
    guard let job = takeFirstJob() else { return }
    guard thread.holdsNothing, thread.hasRoom, withUnsafeCurrentTask(body: { $0 == nil }) else {
      return submit(job)
    }
    thread.withoutTask { job.runSynchronously(on: asUnownedTaskExecutor()) }
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
}
