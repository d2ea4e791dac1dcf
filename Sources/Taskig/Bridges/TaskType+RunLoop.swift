import Foundation

extension TaskType {
  /// Runs the task and returns its value when it is done, while the calling thread's run loop goes on.
  ///
  /// Timers, sources and, on the main thread, the main queue get their turns meanwhile, as if the code had returned: whatever they
  /// do is done in the middle of the function that calls this. That is what an app with a window needs; elsewhere ``await(file:line:)`` is
  /// the better choice, in which nothing happens but what it waits for.
  ///
  /// ```swift
  /// let page = Task { load() }.awaitInRunLoop()
  /// ```
  ///
  /// The action runs on the task's queue, which may be `.main` here, or on a thread of Taskig's own. The loop runs in `mode`, so
  /// what is scheduled in others waits. If what it does calls this in its turn, the inner await must end first.
  ///
  /// It does not count as blocking the main thread for ``TaskigSettings/forbidsBlockingMainThread``. Traps when the action lets go
  /// of its completion without calling it. The idea is that of inamiy's Await.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `await task.value` instead.")
  @discardableResult
  public func awaitInRunLoop(
    mode: RunLoop.Mode = .default, file: StaticString = #fileID, line: UInt = #line
  ) -> ResultType {
    let work = PlainWork(task: self)
    let site = CallSite(file, line)
    return work.awaitOutcome(inRunLoop: mode, timeout: nil, at: site) ?? work.lost(at: site)
  }

  /// Runs the task and returns its value when it is done, or `nil` after `timeout`, while the calling thread's run loop goes on.
  ///
  /// When the time is up, the run is cancelled, and is not waited for; as in ``await(timeout:file:line:)``. The rest is as in
  /// ``awaitInRunLoop(mode:file:line:)``.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `await task.value` instead.")
  @discardableResult
  public func awaitInRunLoop(
    mode: RunLoop.Mode = .default, timeout: Duration, file: StaticString = #fileID, line: UInt = #line
  ) -> ResultType? {
    PlainWork(task: self).awaitOutcome(inRunLoop: mode, timeout: timeout, at: CallSite(file, line))
  }
}

extension ThrowableTaskType {
  /// Runs the task and returns its value when it is done, while the calling thread's run loop goes on.
  ///
  /// The same as ``TaskType/awaitInRunLoop(mode:file:line:)`` in all else.
  ///
  /// - Throws: What ``await(file:line:)`` throws.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `try await task.value` instead.")
  @discardableResult
  public func awaitInRunLoop(
    mode: RunLoop.Mode = .default, file: StaticString = #fileID, line: UInt = #line
  ) throws -> ResultType {
    let work = ThrowingWork(task: self)
    let site = CallSite(file, line)
    return try (work.awaitOutcome(inRunLoop: mode, timeout: nil, at: site) ?? work.lost(at: site)).get()
  }

  /// Runs the task and returns its value when it is done, but waits no longer than `timeout`, while the calling thread's run loop
  /// goes on.
  ///
  /// The same as ``TaskType/awaitInRunLoop(mode:timeout:file:line:)`` in all else.
  ///
  /// - Throws: ``TaskigError/timedOut`` when the time is up; what ``await(file:line:)`` throws.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `try await task.value` instead.")
  @discardableResult
  public func awaitInRunLoop(
    mode: RunLoop.Mode = .default, timeout: Duration, file: StaticString = #fileID, line: UInt = #line
  ) throws -> ResultType {
    let outcome = ThrowingWork(task: self).awaitOutcome(inRunLoop: mode, timeout: timeout, at: CallSite(file, line))
    guard let outcome else { throw TaskigError.timedOut }
    return try outcome.get()
  }
}
