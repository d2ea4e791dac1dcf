import Dispatch
import Foundation
import Synchronization

/// Reports each await that takes longer than a limit.
enum Watchdog {
  private struct State {
    var limit: Duration?
    var awaits: [ObjectIdentifier: WatchedAwait] = [:]
    var timer: (any DispatchSourceTimer)?
  }

  private static let state = Locked(State())
  private static let queue = DispatchQueue(label: "taskig.watchdog")
  private static let switchedOn = Atomic(false)

  /// Whether awaits are watched.
  static var isOn: Bool { switchedOn.load(ordering: .relaxed) }

  static var limit: Duration? {
    get { isOn ? state.withLock { $0.limit } : nil }
    set {
      switchedOn.store(newValue != nil, ordering: .relaxed)
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
    let old = state.withLock { state -> [WatchedAwait] in
      guard let limit = state.limit else { return [] }
      return state.awaits.values.filter { $0.age >= limit && $0.noteReport() }
    }
    for long in old.sorted(by: { $0.start < $1.start }) { TaskigReport.longAwait(long.report).send() }
  }

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
    let id = ObjectIdentifier(watched)
    state.withLock { $0.awaits[id] = watched }
    thread.watched = watched
    defer {
      thread.watched = outer
      state.withLock { $0.awaits[id] = nil }
      watched.end()
    }
    return body()
  }
}

/// An await that the watchdog watches.
final class WatchedAwait: Sendable {
  /// How far the action has come.
  enum Phase: String {
    case runs = "Its action runs."
    case gathers = "They have not all ended."
    case inLine = "Its action has not begun: it waits for its turn."
    case returned = "Its action has returned, and has not called its completion yet."
  }

  private let task: String
  private let site: CallSite
  private let queue: String?
  private let thread =
    Thread.isMainThread ? "main" : Thread.current.name.flatMap { $0.isEmpty ? nil : $0 } ?? "unnamed"
  private let state: Locked<(phase: Phase, outer: WatchedAwait?)>
  private let isReported = Atomic(false)
  let start = ContinuousClock.now

  init(of task: String, queue: String?, at site: CallSite, in outer: WatchedAwait?) {
    (self.task, self.queue, self.site) = (task, queue, site)
    state = Locked((.runs, outer))
  }

  var age: Duration { ContinuousClock.now - start }

  func come(to phase: Phase) {
    state.withLock { $0.phase = phase }
  }

  /// Lets go of the await around this one: they may lie in one another deeper than a stack.
  func end() {
    let outer = state.withLock { $0.outer.take() }
    withExtendedLifetime(outer) {}
  }

  /// Whether the await has not been reported yet; from now on it has.
  func noteReport() -> Bool { !isReported.exchange(true, ordering: .relaxed) }

  var report: TaskigReport.LongAwait {
    var chain: [TaskigReport.LongAwait] = []
    var next = state.withLock { $0.outer }
    // A chain can be longer than anybody reads.
    while let current = next, chain.count < 20 {
      chain.append(current.report(awaitedBy: []))
      next = current.state.withLock { $0.outer }
    }
    return report(awaitedBy: chain)
  }

  private func report(awaitedBy chain: [TaskigReport.LongAwait]) -> TaskigReport.LongAwait {
    TaskigReport.LongAwait(
      task: task, file: "\(site.file)", line: site.line, queue: queue, thread: thread, duration: age,
      state: state.withLock { $0.phase.rawValue }, awaitedBy: chain)
  }
}
