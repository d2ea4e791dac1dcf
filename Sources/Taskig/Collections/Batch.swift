import Dispatch

/// The one engine under all that awaits many tasks: it decides which thread starts which item, and when it is over.
///
/// It knows indices only. Whoever uses it gives a closure that starts an item and tells whether the item is done already.
///
/// Runners are threads that start one item after the other; the caller is one where it may. More come when a beat of the
/// pulse finds them stuck in slow items, up to the limit. An item that returns before it is done, as callback-style ones do,
/// stays in flight without a runner.
@usableFromInline
final class Batch: Sendable {
  private struct State {
    var next = 0
    var inFlight = 0
    /// Those of them that wait for their turn on a queue, and will not run if the batch is stopped by then.
    var inLine = 0
    var isStopped = false
    /// Threads that start items, or have been asked for and will.
    var runners = 0
    /// Those of them that have been asked for and have not come yet.
    var arriving = 0
    /// How often a runner came back for more: what a beat measures progress by.
    var turns = 0
    var turnsAtLastBeat = 0
    /// The most turns a millisecond that a beat has found.
    var bestPace = 0
    var isWatched = false
    /// Whether the caller found nothing to do and waits, so that it can be called back.
    var callerIsIdle = false
  }

  /// What a runner did before it comes for an item.
  private enum Turn {
    case callerCame
    case runnerCame
    case started
    case done
  }

  /// What is to happen after a decision, outside of the lock.
  private enum Step {
    case nothing
    case finish
    case callBack
    case sendRunner
    case watch
  }

  @usableFromInline let waiter: Waiter
  private let count: Int
  private let limit: Int
  private let start: UncheckedTransfer<(Batch, Int) -> Bool>
  private let state = Locked(State())

  /// Makes a batch of `count` items, of which at most `limit` are in flight at once.
  ///
  /// - Parameter start: Starts the item of that index, on the thread that calls, and returns whether it is done already; if
  ///   not, `finishedLater()` is called once when it is.
  @usableFromInline
  init(count: Int, limit: Int, start: @escaping (Batch, Int) -> Bool) {
    self.count = count
    self.limit = limit
    self.start = UncheckedTransfer(start)
    waiter = ThreadContext.current.makeWaiter()
  }

  /// Returns when all items are done, or when `stop()` was called and those in flight have ended; the caller takes part.
  @usableFromInline
  func runAndWait() {
    // Deep inside nested awaits the caller's stack may be short; then only others run items.
    let takesPart = ThreadContext.current.hasRoom
    settle { $0.runners = takesPart ? 1 : 0 }
    if takesPart { runOnCaller() }
    waiter.wait()
  }

  /// Returns when the waiter is finished, which is up to whoever uses the batch, as is stopping it.
  ///
  /// The caller only waits, since it must be free to leave while a slow item still runs.
  @usableFromInline
  func raceAndWait() {
    let width = min(limit, count, Workers.cores)
    settle {
      $0.runners = width
      $0.arriving = width
    }
    for _ in 0..<width { sendRunner() }
    waiter.wait()
  }

  /// Starts no more items.
  @usableFromInline
  func stop() {
    settle { $0.isStopped = true }
  }

  /// Notes that an item is done that was not when it returned.
  @usableFromInline
  func finishedLater() {
    settle { $0.inFlight -= 1 }
  }

  /// Notes that an item in flight waits for its turn on a queue.
  func putInLine() {
    state.withLock { $0.inLine += 1 }
  }

  /// Whether an item whose turn has come may start.
  func mayLeaveLine() -> Bool {
    state.withLock { state in
      state.inLine -= 1
      if state.isStopped { state.inFlight -= 1 }
      return !state.isStopped
    }
  }

  private func runOnCaller() {
    var frame = Frame()
    withUnsafeMutablePointer(to: &frame) { frame in
      ThreadContext.current.push(frame)
      run(isCaller: true)
      ThreadContext.pop(frame)
    }
  }

  private func run(isCaller: Bool) {
    var last: Turn = isCaller ? .callerCame : .runnerCame
    while let item = nextItem(after: last, isCaller: isCaller) {
      last = start.value(self, item) ? .done : .started
    }
  }

  /// Takes an item for a runner that comes for one; with `nil` the runner is released.
  private func nextItem(after last: Turn, isCaller: Bool) -> Int? {
    let (item, step) = state.withLock { state -> (Int?, Step) in
      switch last {
      case .callerCame: break
      case .runnerCame: state.arriving -= 1
      case .started: state.turns += 1
      case .done:
        state.turns += 1
        state.inFlight -= 1
      }
      if hasWork(state) {
        state.inFlight += 1
        state.next += 1
        return (state.next - 1, .nothing)
      }
      state.runners -= 1
      state.callerIsIdle = state.callerIsIdle || isCaller
      return (nil, isOver(state) ? .finish : .nothing)
    }
    perform(step)
    return item
  }

  private func hasWork(_ state: State) -> Bool {
    !state.isStopped && state.next < count && state.inFlight < limit
  }

  private func isOver(_ state: State) -> Bool {
    state.isStopped ? state.inFlight == state.inLine : state.inFlight == 0 && state.next == count
  }

  /// Makes a change and sees to what follows from it.
  private func settle(_ change: (inout State) -> Void) {
    let step = state.withLock { state -> Step in
      change(&state)
      if isOver(state) { return .finish }
      guard hasWork(state) else { return .nothing }
      if state.callerIsIdle {
        state.callerIsIdle = false
        state.runners += 1
        return .callBack
      }
      if state.runners == 0 {
        state.runners += 1
        state.arriving += 1
        return .sendRunner
      }
      // With a limit of one there is nobody to bring: the one runner that there may be is there.
      guard !state.isWatched, limit > 1 else { return .nothing }
      state.isWatched = true
      return .watch
    }
    perform(step)
  }

  private func perform(_ step: Step) {
    switch step {
    case .nothing: break
    case .finish: waiter.finish()
    case .callBack: waiter.offer { [self] in runOnCaller() }
    case .sendRunner: sendRunner()
    case .watch: Pulse.shared.watch(self)
    }
  }

  private func sendRunner() {
    Workers.shared.submit(Job(on: nil, for: waiter) { [self] in run(isCaller: false) }, urgently: true)
  }
}

extension Batch: PulseMember {
  /// Microseconds below which an item is too cheap to be worth a thread.
  private static var cheap: Int { 10 }

  func beat(after microseconds: Int) -> PulseVerdict {
    let (more, verdict) = state.withLock { state -> (Int, PulseVerdict) in
      let room = min(limit - state.runners, limit - state.inFlight, count - state.next)
      guard hasWork(state), room > 0 else {
        state.isWatched = false
        return (0, .done)
      }
      let turns = state.turns - state.turnsAtLastBeat
      state.turnsAtLastBeat = state.turns
      // What the last help is worth shows when it has come; on a busy machine that takes more than a beat.
      guard state.arriving == 0, needsHelp(&state, pace: turns * 1000 / microseconds) else { return (0, .steady) }
      let more = min(room, max(state.runners, 1))
      state.runners += more
      state.arriving += more
      return (more, .helped)
    }
    for _ in 0..<more { sendRunner() }
    return verdict
  }

  /// Whether more runners would make the batch faster, at a pace of so many turns a millisecond.
  private func needsHelp(_ state: inout State, pace: Int) -> Bool {
    if pace == 0 { return true }
    guard pace < state.runners * 1000 / Self.cheap, pace > state.bestPace else { return false }
    // Runners that get in each other's way, at a lock say, turn no faster when they are more. So help goes on only while
    // it helps.
    state.bestPace = pace
    return true
  }
}
