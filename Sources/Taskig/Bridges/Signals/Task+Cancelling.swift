import Foundation

extension Task where T == Never {
  /// Runs `body` on the calling thread, and cancels what it awaits when the process gets one of the signals.
  ///
  /// ```swift
  /// do {
  ///   try Task.cancelling(on: SIGINT, SIGTERM) { try copyEverything() }
  /// } catch let error as CancelledBySignal {
  ///   print("called off by signal", error.number)
  /// }
  /// ```
  ///
  /// `body` runs as a part of the task that the caller is in, if it is in one. With the first signal, it and all that it awaits,
  /// on whatever thread, are cancelled: `Task.isCancelled` is true, `Task.sleep(for:)` and throwing awaits end, handlers of
  /// `Task.onCancel` are called, on a thread of Taskig's own. The signal does nothing else. A second one does what it did before
  /// this call, which for `SIGINT` ends the process at once: pressing Ctrl-C twice always gets out. Code that blocks otherwise,
  /// in `readLine()` say, is not ended by the first.
  ///
  /// When `body` has ended, all signals do again what they did before. Scopes may lie in one another and run on several threads;
  /// a signal cancels all that wait for it. Signals that the process ignores, as one that was started with `nohup` ignores
  /// `SIGHUP`, stay ignored. In a run that has been cancelled before, there is nothing left to cancel, and the signals are left
  /// alone.
  ///
  /// Traps for the numbers for which ``ThrowableTask/nextSignal(_:_:file:line:)`` does.
  ///
  /// - Throws: What `body` throws; ``CancelledBySignal`` if that is its cancellation and a signal was the reason. If `body`
  ///   returns in spite of the signal, so does this.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Call it in a ThrowableTask, and await its `value`."
  )
  public static func cancelling<R>(
    on first: Int32, _ others: Int32..., file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> R
  ) throws -> R {
    let signals = SignalNumbers(first, others, at: CallSite(file, line))
    let thread = ThreadContext.current
    guard !thread.isCancelled else { return try body() }
    let scope = Cancellation(in: thread.scope)
    let arrived = Locked<Int32?>(nil)
    let waiting = SignalDesk.shared.wait(for: signals, heedingIgnored: true) { number in
      arrived.withLock { $0 = number }
      return { Workers.shared.submit(.urgent) { scope.cancel() } }
    }
    defer { scope.end() }
    // A thread of Dispatch's blocks most signals, and programs that are started on it inherit that.
    let result = SignalMask.taking(signals.all) {
      thread.run(inside: scope) { Result { try body() } }
    }
    SignalDesk.shared.leave(waiting)
    if result.error?.isCancellation == true, let number = arrived.withLock({ $0 }) {
      throw CancelledBySignal(number: number)
    }
    return try result.get()
  }
}
