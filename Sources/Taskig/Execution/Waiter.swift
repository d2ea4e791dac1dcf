import Dispatch
import Synchronization

/// Work that a blocked thread may be lent to.
protocol LentWork: AnyObject, Sendable {
  /// Whether nobody has begun it yet.
  var isOpen: Bool { get }

  /// Does it, if the calling thread is where it must be done.
  func runIfHere()
}

/// A thread that is blocked in an await, and can be lent meanwhile.
///
/// Work that somewhere inside needs what this thread holds, the main thread say or a serial queue, is offered here. The
/// thread runs it if it really is on that queue, and nothing else: each waiter gets offers only from work that it waits
/// for, because only such work knows it.
@usableFromInline
final class Waiter: Sendable {
  private struct State {
    /// Whether the thread has gone on; it may be busy for some time with what it was lent to after the wait has ended.
    var isLeft = false
    /// The await that waits for the thread on which this one blocks.
    var parent: Waiter?
    /// The await on the same thread, further out, that this one is a part of.
    var outer: Waiter?
    /// What the thread is called back to do.
    var calls = FIFO<@Sendable () -> Void>()
    /// What the thread does if it is where it must be done.
    var offers = FIFO<any LentWork>()
    /// What this await waits for, so that those who come to wait for it can be told.
    var wanted: [any LentWork] = []
    var wantedAtLastLook = 0
    /// Awaits that wait for this one, since it holds what they need.
    var blocked: [Waiter] = []

    mutating func want(_ job: any LentWork) {
      wanted.append(job)
      guard wanted.count > 2 * wantedAtLastLook + 16 else { return }
      wanted.removeAll { !$0.isOpen }
      wantedAtLastLook = wanted.count
    }
  }

  private enum Turn {
    case leave
    case run(any LentWork)
    case call(@Sendable () -> Void)
    case sleep
  }

  /// Whether the thread may hold something that others need.
  let canLend: Bool

  /// Whether the thread does here what the await further out waits for.
  ///
  /// It does if it is there in the middle of its own work: a collection's task, which the thread could as well have left to
  /// another, must not keep it from the others. If it was lent to what it is in the middle of, it does not: somebody waits for
  /// that to end, and what is begun on top of it would have to end first, and might itself need what that somebody holds.
  private let servesOuter: Bool

  /// What the watchdog knows of the await, if it watches.
  let watched: WatchedAwait?

  /// Changed under the lock; read without it by other waiters, which hold theirs.
  private let isFinished = Atomic(false)
  private let state: Locked<State>
  private let wakeUp: DispatchSemaphore

  init(
    parent: Waiter?, outer: Waiter?, servesOuter: Bool, canLend: Bool, watched: WatchedAwait?, wakeUp: DispatchSemaphore
  ) {
    state = Locked(State(parent: parent, outer: outer))
    self.servesOuter = servesOuter
    self.canLend = canLend
    self.watched = watched
    self.wakeUp = wakeUp
  }

  /// Ends the wait; from any thread, at any time.
  @usableFromInline
  func finish() {
    // Offers are jobs, and jobs hold waiters: what is left goes, or they would hold each other for ever.
    let left = state.withLock { state -> State? in
      guard !isFinished.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
      defer { (state.calls, state.offers) = (FIFO(), FIFO()) }
      return state
    }
    if left != nil { wakeUp.signal() }
  }

  /// Notes that the thread goes on, and that nobody waits for it on this await's behalf any more.
  ///
  /// Awaits may lie in one another deeper than a stack. Here they let go of each other one by one, and not in one go.
  func leave() {
    let left = state.withLock { state in
      defer { state = State(isLeft: true) }
      return state
    }
    withExtendedLifetime(left) {}
  }

  private var isOver: Bool { isFinished.load(ordering: .acquiring) }

  /// Calls the blocked thread back to work that is this await's own, and so is not done in an inner one.
  func call(_ call: @escaping @Sendable () -> Void) {
    let isWanted = state.withLock { state in
      if !isOver { state.calls.append(call) }
      return !isOver
    }
    if isWanted { wakeUp.signal() }
  }

  /// Has the blocked thread look around.
  func wake() {
    wakeUp.signal()
  }

  /// Blocks the calling thread, whose waiter this is, until `finish()`; `run` runs what it is lent to, and `look` is called each
  /// time before it sleeps.
  func serve(_ look: () -> Void, run: (any LentWork) -> Void) {
    while true {
      look()
      switch nextTurn() {
      case .leave: return
      case .run(let work): run(work)
      case .call(let call): call()
      case .sleep: wakeUp.wait()
      }
    }
  }

  private func nextTurn() -> Turn {
    var (turn, next) = state.withLock { state -> (Turn, Waiter?) in
      if isOver { return (.leave, nil) }
      let turn = state.calls.popFirst().map(Turn.call) ?? state.offers.popFirst().map(Turn.run) ?? .sleep
      return (turn, servesOuter ? state.outer : nil)
    }
    while case .sleep = turn, let waiter = next {
      (turn, next) = waiter.state.withLock { state in
        (state.offers.popFirst().map(Turn.run) ?? .sleep, waiter.servesOuter ? state.outer : nil)
      }
    }
    return turn
  }
}

extension Waiter {
  /// Offers `job`, for which this await waits, to all whose threads may hold its queue: to those that wait for this one in
  /// turn and, if `here`, to this one.
  func offer(_ job: any LentWork, here: Bool) {
    Self.offer([job], from: [self], skipping: here ? nil : self)
  }

  /// Notes that `other` waits for this one, and for those around it up to `outermost`, since they hold a queue that it needs.
  ///
  /// Then it waits for all that they wait for.
  func block(_ other: Waiter, upTo outermost: Waiter?) {
    var next: Waiter? = self
    while let waiter = next, waiter !== outermost {
      let (wanted, outer) = waiter.state.withLock { state -> ([any LentWork], Waiter?) in
        guard !state.isLeft, !state.blocked.contains(where: { $0 === other }) else { return ([], state.outer) }
        state.blocked.removeAll(where: \.isOver)
        state.blocked.append(other)
        return (state.wanted.filter(\.isOpen), state.outer)
      }
      if !wanted.isEmpty { Self.offer(wanted, from: [other]) }
      next = outer
    }
  }

  /// Makes offers to `first` and to all that wait for them, each once: awaits can wait for one another in a circle.
  private static func offer(_ jobs: [any LentWork], from first: [Waiter], skipping own: Waiter? = nil) {
    var waiters = first
    var seen = Set(first.map(ObjectIdentifier.init))
    while let waiter = waiters.popLast() {
      let (next, isOffered) = waiter.state.withLock { state -> ([Waiter], Bool) in
        // Who has gone on hands on nothing: those who wait for it do not wait for these. Who is still busy with what it was
        // lent to does, but cannot do them itself.
        guard !state.isLeft else { return ([], false) }
        for job in jobs { state.want(job) }
        let isOffered = waiter.canLend && waiter !== own && !waiter.isOver
        if isOffered { for job in jobs { state.offers.append(job) } }
        return (state.blocked + [state.parent].compactMap { $0 }, isOffered)
      }
      if isOffered { waiter.wakeUp.signal() }
      for other in next where seen.insert(ObjectIdentifier(other)).inserted { waiters.append(other) }
    }
  }
}
