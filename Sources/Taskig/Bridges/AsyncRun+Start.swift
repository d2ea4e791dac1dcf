extension AsyncRun {
  /// Starts `operation` for the run that the calling thread is in, which calls it off, and has `completion` take its result.
  static func start<T>(
    priority: TaskPriority?, at site: CallSite, _ operation: @escaping @Sendable () async throws -> T,
    _ completion: @escaping @Sendable (TaskResult<T>) -> Void
  ) {
    let run = AsyncRun(at: site)
    // Not detached: it takes over the priority and the task-local values of the code that is running on this thread.
    let task = _Concurrency.Task(executorPreference: run, priority: priority) {
      completion(await run.perform { await result(of: operation) }.value)
    }
    // Before the code begins: it may be cancelled as soon as it has.
    Task.onCancel { task.cancel() }
    run.begin()
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
