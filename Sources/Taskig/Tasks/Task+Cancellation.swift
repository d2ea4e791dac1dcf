import Dispatch

/// What the code inside a task can know and do about being cancelled.
///
/// These ask for the run on the calling thread: the innermost task whose action the thread is in, and all that await it, on
/// whatever thread they are. Outside of any task nothing is ever cancelled.
extension Task where T == Never {
  /// Whether the task that the calling code is a part of, or one that awaits it, has been cancelled.
  ///
  /// It stays so until the action returns, also if `isCancelled` of the task is set back meanwhile.
  ///
  /// - Complexity: O(1) as long as nothing has been cancelled since the last time that it was asked.
  public static var isCancelled: Bool { ThreadContext.current.isCancelled }

  /// Throws if the task that the calling code is a part of, or one that awaits it, has been cancelled.
  ///
  /// - Throws: `CancellableTaskError.taskWasCancelled`.
  public static func checkCancellation() throws {
    if isCancelled { throw CancellableTaskError.taskWasCancelled }
  }

  /// Calls `handler` once if the run of the task that the calling code is a part of is cancelled before it is done, or now if
  /// it has been already.
  ///
  /// This is how a callback-style action ends what it has started:
  ///
  /// ```swift
  /// /// A task that ends after an hour, and whose timer ends when it is cancelled.
  /// func hour() -> ThrowableTask<Void> {
  ///   ThrowableTask { completion in
  ///     let timer = DispatchSource.makeTimerSource()
  ///     timer.setEventHandler { completion(.success(())) }
  ///     timer.schedule(deadline: .now() + 3600)
  ///     timer.activate()
  ///     Task.onCancel {
  ///       timer.cancel()
  ///       completion(.failure(CancellableTaskError.taskWasCancelled))
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// It calls the completion too: the timer lets go of it, which alone would count as an action that never completes.
  ///
  /// The handler is forgotten when the action has returned its result or called its completion. It is called on the thread that
  /// cancels, in the order in which handlers were registered, and before those who wait are told: when an await throws, what it
  /// waited for has been ended. So it should not block. It is never called if nothing can cancel the run, such as one of a plain
  /// `Task` that no other task awaits.
  @preconcurrency
  public static func onCancel(_ handler: @escaping @Sendable () -> Void) {
    ThreadContext.current.withTop { top in
      guard let top, let scope = Frame.scope(of: top) else { return }
      guard let completion = Frame.completion(of: top) else {
        scope.listen(.handler(handler))
        return
      }
      // A run is over with its completion, some time before its scope is given up. Held on to, that would not be let go.
      scope.listen(.handler { [weak completion] in if completion?.isOpen == true { handler() } })
    }
  }

  /// Blocks the calling thread for `duration`, or until the task that the calling code is a part of is cancelled.
  ///
  /// Zero or less returns at once; a century or more is for ever. The thread can be lent meanwhile as in an await. Traps on the
  /// main thread where ``TaskigSettings/forbidsBlockingMainThread`` is set.
  ///
  /// - Throws: `CancellableTaskError.taskWasCancelled` if the task is cancelled by then or has been before.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Write `_Concurrency.Task.sleep` instead.")
  public static func sleep(for duration: Duration, file: StaticString = #fileID, line: UInt = #line) throws {
    let thread = ThreadContext.current
    Blocking.requireMayBlock(thread, at: CallSite(file, line))
    try checkCancellation()
    let waiter = thread.makeWaiter()
    let end = Completion<TaskResult<Void>> { _ in waiter.finish() }
    let listening = thread.scope?.listen(.wake { end.complete(.failure(CancellableTaskError.taskWasCancelled)) })
    let timer = Delay.run(after: duration.seconds) { end.complete(.success(())) }
    thread.wait(for: waiter)
    timer?.cancel()
    listening?.stop()
    try end.outcomeIfDone?.get()
  }
}
