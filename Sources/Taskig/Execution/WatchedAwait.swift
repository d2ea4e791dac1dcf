import Foundation
import Synchronization

/// An await that the watchdog watches.
final class WatchedAwait: Sendable {
  /// How far the action has come.
  enum Phase: String {
    case runs = "Its action runs."
    case gathers = "They have not all ended."
    case inLine = "Its action has not begun: it waits for its turn."
    case returned = "Its action has returned, and has not called its completion yet."
    /// It is a chain or a shared task, of which more than that is not known here.
    case goesOn = "It has not ended: it goes on elsewhere, or waits for something."
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
    state.withLock { state in
      // Of what goes on elsewhere it means nothing that its action, which is no code of the user's, has returned.
      if phase != .returned || state.phase != .goesOn { state.phase = phase }
    }
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
