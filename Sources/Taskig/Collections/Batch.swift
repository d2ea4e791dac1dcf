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
    var isStopped = false
    /// Threads that start items, or have been asked for and will.
    var runners = 0
    /// How often a runner came back for more: what a beat measures progress by.
    var turns = 0
    var turnsAtLastBeat = 0
    var isWatched = false
    /// Whether the caller found nothing to do and waits, so that it can be called back.
    var callerIsIdle = false
  }

  /// What is to happen after a decision, outside of the lock.
  private enum Step {
    case nothing
    case finish
    case callBack
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
    waiter = Waiter()
  }

  /// Returns when all items are done, or when `stop()` was called and those in flight have ended; the caller takes part.
  @usableFromInline
  func runAndWait() {
    settle { _ in }
    // Deep inside nested awaits the caller's stack may be short; then only others run items.
    let thread = ThreadContext.current
    if thread.hasRoom {
      var frame = Frame()
      withUnsafeMutablePointer(to: &frame) { frame in
        thread.push(frame)
        run(isCaller: true)
        ThreadContext.pop(frame)
      }
    }
    waiter.wait()
  }

  /// Returns when the waiter is finished, which is up to whoever uses the batch; the caller only waits, since it must be free
  /// to leave while a slow item still runs.
  @usableFromInline
  func raceAndWait() {
    let width = min(limit, count, Workers.cores)
    state.withLock { $0.runners += width }
    for _ in 0..<width { sendRunner() }
    settle { _ in }
    waiter.wait()
    stop()
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

  private func run(isCaller: Bool) {
    if isCaller { state.withLock { $0.runners += 1 } }
    var isDone = false
    while let item = nextItem(afterDone: isDone, isCaller: isCaller) {
      isDone = start.value(self, item)
    }
  }

  /// Takes an item for a runner that comes back for more; with `nil` the runner is released.
  private func nextItem(afterDone isDone: Bool, isCaller: Bool) -> Int? {
    let (item, step) = state.withLock { state -> (Int?, Step) in
      if isDone { state.inFlight -= 1 }
      state.turns += 1
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
    state.inFlight == 0 && (state.isStopped || state.next == count)
  }

  /// Makes a change and sees to what follows from it.
  private func settle(_ change: (inout State) -> Void) {
    let step = state.withLock { state -> Step in
      change(&state)
      if isOver(state) { return .finish }
      guard hasWork(state) else { return .nothing }
      if state.callerIsIdle {
        state.callerIsIdle = false
        return .callBack
      }
      // With a limit of one there is nobody to bring: what is in flight must end first, and then the caller goes on.
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
    case .callBack: waiter.offer(Job(on: nil, for: waiter.parent) { [self] in run(isCaller: true) })
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
      let runners = max(state.runners, 1)
      guard turns < runners * microseconds / Self.cheap else { return (0, .steady) }
      let more = min(room, runners)
      state.runners += more
      return (more, .helped)
    }
    for _ in 0..<more { sendRunner() }
    return verdict
  }
}
