extension ThreadContext {
  /// The innermost run that is watched of those that the code at hand is a part of.
  var watchedSurroundings: WatchedRun? { top == nil ? asyncRun?.watched ?? watched : watched }

  /// Runs `body`, in which `run` is the one that others are made in.
  func whileCurrent<R>(_ run: WatchedRun, _ body: () -> R) -> R {
    let outer = watched
    watched = run
    defer { watched = outer }
    return body()
  }

  /// Runs `body`, which awaits `run`, and which the watchdog watches if it is on.
  func awaiting<R>(_ run: WatchedRun, _ body: () -> R) -> R {
    let isGuarded = Watching.watchers.contains(.watchdog)
    if isGuarded { Watchdog.add(run) }
    defer {
      if isGuarded { Watchdog.forget(run) }
      run.end()
    }
    return whileCurrent(run, body)
  }
}
