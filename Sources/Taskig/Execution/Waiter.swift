import Dispatch
import Synchronization

/// Work that a blocked thread may be lent to.
protocol LentWork: AnyObject, Sendable {
  /// Whether nobody has begun it yet, or, if it is lasting, whether it goes on.
  var isOpen: Bool { get }

  /// Whether a thread goes on with it, when there is nothing else to do, for as long as it waits for it.
  var isLasting: Bool { get }

  /// The await that it is for.
  var waiter: Waiter? { get }

  /// Does it, if the calling thread is where it must be done.
  func runIfHere()
}

extension LentWork {
  var isLasting: Bool { false }
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
    /// Those that it goes on with when there are no others.
    var lasting: [any LentWork] = []
    var lastingAtLastLook = 0
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
      guard offered.insert(ObjectIdentifier(work)).inserted else { return }
      guard work.isLasting else { return offers.append(work) }
      if lasting.count > 2 * lastingAtLastLook + 16 {
        dropEnded()
        lastingAtLastLook = lasting.count
      }
      lasting.append(work)
    }

    /// Forgets the lasting ones that are over.
    mutating func dropEnded() {
      for work in lasting where !work.isOpen { offered.remove(ObjectIdentifier(work)) }
      lasting.removeAll { !$0.isOpen }
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
    case rest
  }

  /// Whether the thread may hold something that others need.
  let canLend: Bool

  /// Whether the thread is the one that serves the main queue.
  let servesMainQueue: Bool

  /// Whether the thread does here what the await further out waits for.
  ///
  /// It does if it is there in the middle of its own work: a collection's task, which the thread could as well have left to
  /// another, must not keep it from the others. If it was lent to what it is in the middle of, it does not: somebody waits for
  /// that to end, and what is begun on top of it would have to end first, and might itself need what that somebody holds.
  private let servesOuter: Bool

  /// What the watchdog knows of the await, if it watches.
  let watched: WatchedRun?

  /// Changed under the lock; read without it by other waiters, which hold theirs.
  private let isFinished = Atomic(false)
  let givesUp = Atomic(false)
  let state: Locked<State>
  private let parking: Parking?

  init(
    parent: Waiter?, outer: Waiter?, servesOuter: Bool, canLend: Bool, servesMainQueue: Bool, watched: WatchedRun?,
    parking: Parking?
  ) {
    state = Locked(State(parent: parent, outer: outer))
    self.servesOuter = servesOuter
    self.canLend = canLend
    self.servesMainQueue = servesMainQueue
    self.watched = watched
    self.parking = parking
  }

  /// Ends the wait; from any thread, at any time.
  @usableFromInline
  func finish() {
    // Offers are jobs, and jobs hold waiters: what is left goes, or they would hold each other for ever.
    let left = state.withLock { state -> State? in
      guard !isFinished.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
      defer { (state.calls, state.offers, state.lasting, state.offered) = (FIFO(), FIFO(), [], []) }
      return state
    }
    if left != nil { wake() }
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

  var isOver: Bool { isFinished.load(ordering: .acquiring) }

  /// Calls the blocked thread back to work that is this await's own, and so is not done in an inner one.
  func call(_ call: @escaping @Sendable () -> Void) {
    let isWanted = state.withLock { state in
      if !isOver { state.calls.append(call) }
      return !isOver
    }
    if isWanted { wake() }
  }

  /// Has the blocked thread look around.
  func wake() {
    parking?.wake()
  }

  /// Whether there is no thread.
  var isHub: Bool { parking == nil }

  /// Blocks the calling thread, whose waiter this is, until `finish()`; `run` runs what it is lent to, `look` is called each time
  /// before it rests, and `rest` rests, until it is woken or for a while.
  func serve(_ look: () -> Void, run: (any LentWork) -> Void, rest: () -> Void) {
    while true {
      look()
      switch nextTurn() {
      case .leave: return
      case .run(let work): run(work)
      case .call(let call): call()
      case .rest: rest()
      }
    }
  }

  private func nextTurn() -> Turn {
    let turn = state.withLock { state -> Turn? in
      isOver ? .leave : state.calls.popFirst().map(Turn.call)
    }
    if let turn { return turn }
    let work = firstServed { $0.nextOffer() } ?? firstServed { $0.lastingWork() }
    return work.map(Turn.run) ?? .rest
  }

  /// What `find` finds first, of this await and of those further out whose work the thread does here too.
  private func firstServed(_ find: (Waiter) -> (any LentWork)?) -> (any LentWork)? {
    var next: Waiter? = self
    while let waiter = next {
      if let work = find(waiter) { return work }
      next = waiter.servesOuter ? waiter.state.withLock { $0.outer } : nil
    }
    return nil
  }

  /// The next offer that this await still waits for: over a queue it did only until its turn there came.
  private func nextOffer() -> (any LentWork)? {
    while let work = state.withLock({ $0.takeOffer() }) {
      if isWaiting(for: work) { return work }
    }
    return nil
  }

  /// What this await waits for and goes on for some time.
  private func lastingWork() -> (any LentWork)? {
    let lasting = state.withLock { $0.lasting.copied() }
    guard !lasting.isEmpty else { return nil }
    if let work = lasting.first(where: isWaiting) { return work }
    state.withLock { $0.dropEnded() }
    return nil
  }

  private func isWaiting(for work: any LentWork) -> Bool {
    guard work.isOpen, let first = work.waiter else { return false }
    return waits(for: first)
  }
}
