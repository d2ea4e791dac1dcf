import Foundation

extension Work {
  /// Runs the action, on its queue or on another thread, and lets the calling thread's run loop go on in `mode` until its outcome
  /// is there, or for `timeout`; `nil` if the time is up.
  ///
  /// This is not judged as other awaits are: the main thread that waits so goes on with what others need of it.
  func awaitOutcome(inRunLoop mode: RunLoop.Mode, timeout: Duration?, at site: CallSite) -> Outcome? {
    RunLoop.requireMode(mode, at: site)
    if let settled { return settled }
    let cancellation = cancellation
    return withExtendedLifetime(cancellation) {
      Frame.withRoom { frame in
        Frame.enter(frame, for: cancellation)
        defer { Frame.leave(frame) }
        guard Watching.isOn else {
          return resolve(runUnwatched(in: frame, timeout: timeout, inRunLoop: mode, at: site), at: site)
        }
        let watched = WatchedWork(self, isAwaited: true, at: site)
        let ending = watched.awaiting { watched.runUnwatched(in: frame, timeout: timeout, inRunLoop: mode, at: site) }
        return resolve(ending, at: site)
      }
    }
  }

  private func runUnwatched(
    in frame: UnsafeMutablePointer<Frame>, timeout: Duration?, inRunLoop mode: RunLoop.Mode, at site: CallSite
  ) -> Ending<Outcome> {
    if Self.cancelled != nil, Frame.isCancelled(frame) { return .interrupted(.cancelled) }
    if let timeout, timeout <= .zero { return .interrupted(.timedOut) }
    return runElsewhere(lane, in: frame, timeout: timeout, inRunLoop: mode, at: site)
  }
}

extension ThreadContext {
  /// Lets this thread's run loop go on in `mode` until `isOver`, which is asked after each turn.
  func wait(inRunLoop mode: RunLoop.Mode, until isOver: () -> Bool) {
    let waiter = makeWaiter()
    wait(for: waiter, inRunLoop: mode) {
      if isOver() { waiter.finish() }
    }
  }
}

extension RunLoop {
  /// Stops the program if no run loop can run in `mode`.
  static func requireMode(_ mode: RunLoop.Mode, at site: CallSite) {
    guard mode == .common else { return }
    trap(
      "The mode of a wait in a run loop is .common, which stands for several modes.",
      consequence: "No run loop can run in it, so nothing would go on meanwhile.",
      remedy: "Pass .default, in which all runs that is scheduled in the common modes.",
      at: site)
  }
}
