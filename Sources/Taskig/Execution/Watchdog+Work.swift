import Dispatch

extension Watchdog {
  /// Watches the await that `body` is, if awaits are watched.
  static func watching<W: Work, R>(_ work: W, at site: CallSite, _ body: () -> R) -> R {
    guard isOn else { return body() }
    let queue = work.queue === DispatchQueue.taskDefault ? nil : work.queue.label
    return watching(work.name, queue: queue, at: site, body)
  }

  /// Watches the await of `task` that `body` is, if awaits are watched.
  static func watching<R>(
    _ task: @autoclosure () -> String, queue: String?, at site: CallSite, phase: WatchedAwait.Phase = .runs,
    _ body: () -> R
  ) -> R {
    guard isOn else { return body() }
    let thread = ThreadContext.current
    let outer = thread.watched
    let watched = WatchedAwait(of: task(), queue: queue, at: site, in: outer)
    watched.come(to: phase)
    add(watched)
    thread.watched = watched
    defer {
      thread.watched = outer
      remove(watched)
    }
    return body()
  }
}
