extension TaskType {
  /// Runs the task and suspends until it is done: `await()` for `async` code, which blocks no thread.
  ///
  /// ```swift
  /// let answer = await Task { 6 * 7 }.value
  /// ```
  ///
  /// The action runs on the task's queue, or on a thread of Taskig's own if it names none, where it may block. Cancelling the
  /// Swift task that awaits has no effect, since a plain task has no error to end with.
  ///
  /// Traps when the action lets go of its completion without calling it.
  nonisolated(nonsending) public var value: ResultType {
    get async {
      let result: UncheckedTransfer<ResultType> = await withCheckedContinuation { continuation in
        PlainWork(task: self).launch(after: 0, at: CallSite(#fileID, #line)) {
          continuation.resume(returning: UncheckedTransfer($0))
        }
      }
      return result.value
    }
  }
}

extension ThrowableTaskType {
  /// Runs the task and suspends until it is done: `await()` for `async` code, which blocks no thread.
  ///
  /// ```swift
  /// let text = try await ThrowableTask { try String(contentsOfFile: "/etc/hosts", encoding: .utf8) }.value
  /// ```
  ///
  /// The action runs on the task's queue, or on a thread of Taskig's own if it names none, where it may block. Cancelling the
  /// Swift task that awaits cancels the run.
  ///
  /// - Throws: The task's error; `CancellableTaskError.taskWasCancelled` if the task was cancelled;
  ///   ``TaskigError/neverCompleted(task:)`` if the action let go of its completion without calling it.
  nonisolated(nonsending) public var value: ResultType {
    get async throws { try await result.get() }
  }

  /// Runs the task and suspends until it is done; its value or its error, as ``value`` would throw it.
  nonisolated(nonsending) public var result: TaskResult<ResultType> {
    get async {
      let work = ThrowingWork(task: self)
      if let settled = work.settled { return settled }
      let scope = Cancellation()
      let result: UncheckedTransfer<TaskResult<ResultType>> = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          work.launch(after: 0, in: scope, at: CallSite(#fileID, #line)) {
            continuation.resume(returning: UncheckedTransfer($0))
          }
        }
      } onCancel: {
        scope.cancel()
      }
      scope.end()
      return result.value
    }
  }
}
