import Foundation
import Synchronization

/// A run that the watchdog watches, or that an observer is told of.
final class WatchedRun: Sendable {
  /// How far the action has come.
  enum Phase: String {
    case runs = "Its action runs."
    case gathers = "They have not all ended."
    case inLine = "Its action has not begun: it waits for its turn."
    case returned = "Its action has returned, and has not called its completion yet."
    /// It is a chain or a shared task, of which more than that is not known here.
    case goesOn = "It has not ended: it goes on elsewhere, or waits for something."
  }

  private struct State {
    var phase: Phase
    /// The await around this one, if it is one.
    var outer: WatchedRun?
    var hasStarted = false
    var isFinished = false
    var isCancelled = false
  }

  private let task: String
  private let site: CallSite
  private let queue: String?
  private let isAwaited: Bool
  private let thread =
    Thread.isMainThread ? "main" : Thread.current.name.flatMap { $0.isEmpty ? nil : $0 } ?? "unnamed"
  private let state: Locked<State>
  private let isReported = Atomic(false)
  /// Whether it is the observer's own, or a part of what is: to be told of that, it would have more and more to be told of.
  let isHidden: Bool
  private let observation: (observer: any TaskObserver, run: TaskRun)?
  let start = ContinuousClock.now

  private static let count = Atomic<UInt64>(0)

  /// Makes a run, inside of `surroundings` if there are any.
  init(
    of task: String, name: String, queue: String?, at site: CallSite, in surroundings: WatchedRun?, isAwaited: Bool,
    phase: Phase = .runs
  ) {
    (self.task, self.queue, self.site, self.isAwaited) = (task, queue, site, isAwaited)
    state = Locked(State(phase: phase, outer: isAwaited && surroundings?.isAwaited == true ? surroundings : nil))
    isHidden = surroundings?.isHidden == true || Watching.isTelling
    let observer = isHidden ? nil : Watching.observer
    observation = observer.map { observer in
      let run = TaskRun(
        id: Self.count.add(1, ordering: .relaxed).newValue, parent: surroundings?.observation?.run.id, name: name,
        task: task, file: "\(site.file)", line: site.line, queue: queue, isAwaited: isAwaited)
      return (observer, run)
    }
    tell(.made)
  }

  var age: Duration { ContinuousClock.now - start }

  func come(to phase: Phase) {
    state.withLock { state in
      // What gathers others, or goes on elsewhere, does so to its end, whatever the parts of it do.
      if state.phase != .goesOn, state.phase != .gathers { state.phase = phase }
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

extension WatchedRun {
  /// Tells whoever observes the run what happens to it, now and on this thread.
  func tell(_ kind: TaskEvent.Kind) {
    guard let (observer, run) = observation else { return }
    let event = TaskEvent(kind: kind, run: run, time: .now)
    Watching.tellingObserver { observer.observe(event) }
  }

  /// Notes that the action begins, if it has not.
  func noteStart() {
    if note(\.hasStarted) { tell(.started) }
  }

  /// Notes that the outcome is there, and whether that is an error, if it has not been.
  func noteFinish(_ error: (any Error)?) {
    if note(\.isFinished) { tell(.finished(error)) }
  }

  /// Notes that whoever awaits the run has been told that it is called off, if it was not finished.
  func noteCancel() {
    let isNews = state.withLock { state in
      defer { state.isCancelled = true }
      return !state.isCancelled && !state.isFinished
    }
    if isNews { tell(.cancelled) }
  }

  /// Notes something that happens once, and returns whether this is the first time.
  private func note(_ fact: WritableKeyPath<State, Bool>) -> Bool {
    state.withLock { state in
      defer { state[keyPath: fact] = true }
      return !state[keyPath: fact]
    }
  }
}
