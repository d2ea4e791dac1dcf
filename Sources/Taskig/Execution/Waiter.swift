import Dispatch
import Synchronization

/// Work that a blocked thread may be lent to.
protocol LentWork: AnyObject, Sendable {
  /// Whether nobody has begun it yet.
  var isOpen: Bool { get }

  /// The await that it is for.
  var waiter: Waiter? { get }

  /// Does it, if the calling thread is where it must be done.
  func runIfHere()
}

/// Work that waits for its turn on a queue, and may be lent a thread there.
protocol QueuedWork: WorkItem, LentWork {}

/// A thread that is blocked in an await, and can be lent meanwhile.
///
/// Work that somewhere inside needs what this thread holds, the main thread say or a serial queue, is offered here. The
/// thread runs it if it really is on that queue, and nothing else: each waiter gets offers only from work that it waits
/// for, because only such work knows it.
///
/// A hub is one without a thread. It stands for a run that goes on by itself, whoever waits for it: all who do join it, each
/// when it comes, and all who join it wait for what the run waits for.
@usableFromInline
final class Waiter: Sendable {
  /// An await that waits for another one, since it holds a queue on which `work` is in line, and for as long as that is so.
  struct Blockage {
    let waiter: Waiter
    let work: any QueuedWork
  }

  struct State {
    /// Whether the thread has gone on; it may be busy for some time with what it was lent to after the wait has ended.
    var isLeft = false
    /// The await that waits for the thread on which this one blocks.
    var parent: Waiter?
    /// The await on the same thread, further out, that this one is a part of.
    var outer: Waiter?
    /// What the thread is called back to do.
    var calls = FIFO<@Sendable () -> Void>()
    /// What the thread does if it is where it must be done; each once, though it may come on several ways.
    var offers = FIFO<any LentWork>()
    var offered: Set<ObjectIdentifier> = []
    /// What this await waits for, or did, so that those who come to wait for it can be told.
    var wanted: [any LentWork] = []
    var wantedOnes: Set<ObjectIdentifier> = []
    var wantedAtLastLook = 0
    /// Those that wait for this one, since it holds what they need.
    var blocked: [Blockage] = []
    /// Those that have joined this one, which is a hub.
    var joined = Numbered<Waiter>()

    mutating func want(_ work: any LentWork) {
      guard wantedOnes.insert(ObjectIdentifier(work)).inserted else { return }
      wanted.append(work)
      guard wanted.count > 2 * wantedAtLastLook + 16 else { return }
      wanted.removeAll { !$0.isOpen }
      wantedOnes = Set(wanted.map { ObjectIdentifier($0) })
      wantedAtLastLook = wanted.count
    }

    mutating func offer(_ work: any LentWork) {
      if offered.insert(ObjectIdentifier(work)).inserted { offers.append(work) }
    }

    mutating func takeOffer() -> (any LentWork)? {
      let work = offers.popFirst()
      if let work { offered.remove(ObjectIdentifier(work)) }
      return work
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

  /// Whether there is no thread.
  private let isHub: Bool

  /// What the watchdog knows of the await, if it watches.
  let watched: WatchedAwait?

  /// Changed under the lock; read without it by other waiters, which hold theirs.
  private let isFinished = Atomic(false)
  let givesUp = Atomic(false)
  let state: Locked<State>
  private let wakeUp: DispatchSemaphore

  init(
    parent: Waiter?, outer: Waiter?, servesOuter: Bool, canLend: Bool, watched: WatchedAwait?,
    wakeUp: DispatchSemaphore?
  ) {
    state = Locked(State(parent: parent, outer: outer))
    self.servesOuter = servesOuter
    self.canLend = canLend
    self.watched = watched
    isHub = wakeUp == nil
    self.wakeUp = wakeUp ?? Self.nobody
  }

  private static let nobody = DispatchSemaphore(value: 0)

  /// Ends the wait; from any thread, at any time.
  @usableFromInline
  func finish() {
    // Offers are jobs, and jobs hold waiters: what is left goes, or they would hold each other for ever.
    let left = state.withLock { state -> State? in
      guard !isFinished.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
      defer { (state.calls, state.offers, state.offered) = (FIFO(), FIFO(), []) }
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
    let turn = state.withLock { state -> Turn? in
      isOver ? .leave : state.calls.popFirst().map(Turn.call)
    }
    if let turn { return turn }
    var next: Waiter? = self
    while let waiter = next {
      if let work = waiter.nextOffer() { return .run(work) }
      next = waiter.servesOuter ? waiter.state.withLock { $0.outer } : nil
    }
    return .sleep
  }

  /// The next offer that this await still waits for: over a queue it did only until its turn there came.
  private func nextOffer() -> (any LentWork)? {
    while let work = state.withLock({ $0.takeOffer() }) {
      if work.isOpen, let first = work.waiter, waits(for: first) { return work }
    }
    return nil
  }
}

extension Waiter {
  /// Offers `work`, for which this await waits, to all whose threads may be where it must be done: to those that wait for this
  /// one in turn and, if `here`, to this one.
  func offer(_ work: any LentWork, here: Bool) {
    Self.offer([work], to: self, skipping: here ? nil : self)
  }

  /// Notes that `other` waits for this one, and for those around it up to `outermost`, since they hold the queue on which `work`,
  /// which is for `other`, is in line.
  ///
  /// Then it waits for all that they wait for, until that has its turn. It does not wait for one that waits for it in turn, whose
  /// thread is just lent to it.
  ///
  /// - Returns: Whether it has been lent to that just now, which shows soon.
  func block(_ other: Waiter, by work: any QueuedWork, upTo outermost: Waiter?) -> Bool {
    var next: Waiter? = self
    while let waiter = next, waiter !== outermost {
      if waiter.waits(for: other) { return waiter.take(work) }
      let (wanted, outer) = waiter.state.withLock { state -> ([any LentWork], Waiter?) in
        guard !state.isLeft, !state.blocked.contains(where: { $0.work === work }) else { return ([], state.outer) }
        state.blocked.removeAll { !$0.work.isOpen }
        state.blocked.append(Blockage(waiter: other, work: work))
        return (state.wanted.filter(\.isOpen), state.outer)
      }
      if !wanted.isEmpty { Self.offer(wanted, to: other) }
      next = outer
    }
    return false
  }

  /// Whether this await waits for what `first` waits for, as things are.
  private func waits(for first: Waiter) -> Bool {
    var isFound = false
    visit(from: first) { waiter in
      isFound = isFound || waiter === self
      return isFound ? [] : waiter.dependents
    }
    return isFound
  }

  /// Those that wait for this one: the one for whose work its thread is there, the one further out on that thread, which goes on
  /// only after this one, and those in line for what the thread holds.
  private var dependents: [Waiter] {
    state.withLock { state in
      // Who has gone on hands on nothing: those who wait for it do not wait for this.
      guard !state.isLeft else { return [] }
      return [state.parent, state.outer].compactMap { $0 } + state.joined.all
        + state.blocked.filter(\.work.isOpen).map(\.waiter)
    }
  }

  /// Makes offers to `first` and to all that wait for it, as things are; each looks again before it takes one.
  ///
  /// It does not reach those beyond a long chain of hubs, each of which waits for the next: then each offer would cost as much as
  /// the chain is long. Who stands beyond and holds the queue is found when that has stood still for a moment.
  static func offer(_ works: [any LentWork], to first: Waiter, skipping own: Waiter? = nil) {
    var hubsToGo = 64
    visit(from: first) { waiter in
      waiter.take(works, butOnlyHandOn: waiter === own)
      if waiter.isHub { hubsToGo -= 1 }
      return hubsToGo > 0 ? waiter.dependents : []
    }
  }

  /// Takes offers, unless the thread goes on already.
  private func take(_ works: [any LentWork], butOnlyHandOn: Bool) {
    let isOffered = state.withLock { state -> Bool in
      guard !state.isLeft else { return false }
      for work in works { state.want(work) }
      // Who is still busy with what it was lent to hands on, but cannot do them itself.
      let isOffered = canLend && !butOnlyHandOn && !isOver
      if isOffered { for work in works { state.offer(work) } }
      return isOffered
    }
    if isOffered { wakeUp.signal() }
  }

  /// Takes an offer, unless it has come this far before; returns whether it did.
  private func take(_ work: any LentWork) -> Bool {
    let isKnown = state.withLock { $0.wantedOnes.contains(ObjectIdentifier(work)) }
    if !isKnown { take([work], butOnlyHandOn: false) }
    return !isKnown
  }
}
