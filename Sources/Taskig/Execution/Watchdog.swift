import Dispatch
import Foundation

/// Reports each await that takes longer than a limit.
enum Watchdog {
  private struct State {
    var limit: Duration?
    var awaits: [ObjectIdentifier: WatchedRun] = [:]
    var timer: (any DispatchSourceTimer)?
  }

  private static let state = Locked(State())
  private static let queue = DispatchQueue(label: "taskig.watchdog")

  static var limit: Duration? {
    get { state.withLock { $0.limit } }
    set {
      Watching.set(.watchdog, newValue != nil)
      watch(newValue)
    }
  }

  /// Starts the watchdog, the first time that it is asked for, if the environment says so.
  static let startedFromEnvironment: Void = {
    guard let text = ProcessInfo.processInfo.environment["TASKIG_WATCHDOG"], !text.isEmpty else { return }
    guard let seconds = Double(text), seconds > 0, seconds < 1e9 else {
      fatalError(
        "The environment variable TASKIG_WATCHDOG is “\(text)”, which is not a number of seconds above zero. No await can be "
          + "told from it to take too long. Set it to one, such as 10, or unset it.")
    }
    limit = .seconds(seconds)
  }()

  private static func watch(_ limit: Duration?) {
    if let limit, limit <= .zero {
      fatalError(
        "The watchdog's limit is \(limit). Every await would be reported. Set a duration above zero, or nil for none.")
    }
    let timer = limit.map { limit in
      let timer = DispatchSource.makeTimerSource(queue: queue)
      let interval = max(0.01, min(1, limit.seconds / 4))
      timer.schedule(deadline: .now() + interval, repeating: interval)
      timer.setEventHandler { look() }
      return timer
    }
    let old = state.withLock { state in
      defer { (state.limit, state.timer) = (limit, timer) }
      return state.timer
    }
    old?.cancel()
    timer?.activate()
  }

  private static func look() {
    let old = state.withLock { state -> [WatchedRun] in
      guard let limit = state.limit else { return [] }
      return state.awaits.values.filter { $0.age >= limit && $0.noteReport() }
    }
    for long in old.sorted(by: { $0.start < $1.start }) { TaskigReport.longAwait(long.report).send() }
  }

  static func add(_ watched: WatchedRun) {
    state.withLock { $0.awaits[ObjectIdentifier(watched)] = watched }
  }

  static func forget(_ watched: WatchedRun) {
    state.withLock { _ = $0.awaits.removeValue(forKey: ObjectIdentifier(watched)) }
  }
}
