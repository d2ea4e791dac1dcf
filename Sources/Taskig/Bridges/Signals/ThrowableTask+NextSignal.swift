import Dispatch

extension ThrowableTask where T == Int32 {
  /// A task that completes when the process gets one of the signals, with that signal's number.
  ///
  /// ```swift
  /// let signal = try ThrowableTask.nextSignal(SIGUSR1, SIGHUP).await(timeout: .seconds(10))
  /// print(signal == SIGUSR1 ? "hello" : "hanging up")
  /// ```
  ///
  /// As long as somebody waits, the signals do nothing else, not even what a handler of yours or a signal that is ignored would
  /// have them do. When the last one who waits for a signal has been told, was cancelled or ran out of time, that signal does
  /// again what it did before: the next `SIGUSR1` ends the program, unless you have set it to something else. So use a
  /// ``SignalWatch`` to take one signal after the other.
  ///
  /// A signal completes all who wait for it; one that comes just as an await of the task is cancelled or runs out of time is told
  /// or does what it did before. It counts from the moment that the action runs, also if all threads of the program
  /// block it. No thread is held: one, which is Taskig's, hears of all signals. Who has the outcome from `async` gets it on a
  /// worker of Taskig's, and may block.
  ///
  /// Traps for numbers that are no signals; for `SIGKILL` and `SIGSTOP`, which no program can wait for; and for those that tell
  /// of a fault in the program, such as `SIGSEGV`.
  public static func nextSignal(
    _ first: Int32, _ others: Int32..., file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask {
    let signals = SignalNumbers(first, others, at: CallSite(file, line))
    return ThrowableTask(at: CallSite(file, line)) { claim, completion in
      let waiting = SignalDesk.shared.wait(for: signals) { number in
        guard claim() else { return nil }
        return { Workers.shared.submit(.urgent) { completion(.success(number)) } }
      }
      Task.onCancel {
        guard SignalDesk.shared.leave(waiting) else { return }
        completion(.failure(CancellableTaskError.taskWasCancelled))
      }
    }
  }
}
