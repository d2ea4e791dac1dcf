#if os(macOS) || os(Linux)
  extension ChildProcess {
    /// The end of all children that have been cancelled before, as a task that results when they and their process groups are
    /// gone.
    ///
    /// An await that is cancelled, or whose time is up, does not wait for the child that it ends. A program that must not leave
    /// before its children do, or whose next step needs what they held, waits for them with this:
    ///
    /// ```swift
    /// let napping = ChildProcess("sleep", "60").withGrace(.milliseconds(500))
    /// do {
    ///   try napping.await(timeout: .milliseconds(50))
    /// } catch TaskigError.timedOut {
    ///   ChildProcess.endOfCancelled.await()
    ///   print("it sleeps no more")
    /// }
    /// ```
    ///
    /// It takes as long as the longest grace at most, and a moment: what heeds no `SIGTERM` is then ended by `SIGKILL`; see
    /// ``withGrace(_:)``. It is for the whole process: those that other tasks have cancelled are waited for too, those that are
    /// cancelled after the await began are not. Nothing cancels it, so that it can be awaited in a run that has been cancelled
    /// itself; `await(timeout:)` gives it a limit. It holds no thread while it waits. What has ended counts as gone, also if nobody
    /// reaps it, as in many containers.
    public static var endOfCancelled: Task<Void> {
      Task { completion in ChildDepartures.shared.whenGone { completion(()) } }
    }
  }
#endif
