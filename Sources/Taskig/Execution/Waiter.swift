import Dispatch

/// A thread that is blocked in an await, and can be lent meanwhile.
///
/// Work that somewhere inside needs what this thread holds, the main thread say or a serial queue, is offered here. The
/// thread runs it if it really is on that queue, and nothing else: each waiter gets offers only from work that it waits
/// for, because only such work knows it, through `ThreadContext.waiter` and `parent`.
@usableFromInline
final class Waiter: Sendable {
  /// Work for the blocked thread, which looks first whether it may be done there.
  typealias Offer = @Sendable () -> Void

  private struct State {
    var isFinished = false
    var calls = FIFO<Offer>()
    var offers = FIFO<Offer>()
  }

  private enum Turn {
    case leave
    case run(Offer)
    case sleep
  }

  /// The await that waits for the thread on which this one blocks.
  let parent: Waiter?

  /// The await on the same thread, further out, that this one is a part of.
  ///
  /// The thread waits for that one's work too. So what is offered there is done here: the inner await may be waiting for
  /// just that, through a queue that both need.
  private let outer: Waiter?

  private let state = Locked(State())
  private let wakeUp: DispatchSemaphore

  init(parent: Waiter?, outer: Waiter?, wakeUp: DispatchSemaphore) {
    self.parent = parent
    self.outer = outer
    self.wakeUp = wakeUp
  }

  /// Ends the wait; from any thread, at any time.
  @usableFromInline
  func finish() {
    // Offers hold jobs, and jobs hold waiters: what is left goes, or they would hold each other for ever.
    let left = state.withLock { state in
      state.isFinished = true
      defer { (state.calls, state.offers) = (FIFO(), FIFO()) }
      return (state.calls, state.offers)
    }
    withExtendedLifetime(left) {}
    wakeUp.signal()
  }

  /// Lets the blocked thread do some work that only it can do; an offer that comes too late is dropped, so it is made
  /// elsewhere too.
  func offer(_ offer: @escaping Offer) {
    add { $0.offers.append(offer) }
  }

  /// Calls the blocked thread back to work that is this await's own, and so is not done in an inner one.
  func call(_ call: @escaping Offer) {
    add { $0.calls.append(call) }
  }

  private func add(_ change: (inout State) -> Void) {
    let isWanted = state.withLock { state in
      if !state.isFinished { change(&state) }
      return !state.isFinished
    }
    if isWanted { wakeUp.signal() }
  }

  /// Makes an offer to this waiter and to all that wait for it in turn.
  func offerUpwards(_ offer: @escaping Offer) {
    var waiter: Waiter? = self
    while let next = waiter {
      next.offer(offer)
      waiter = next.parent
    }
  }

  /// Blocks the calling thread, whose waiter this is, until `finish()`, running what it is offered and can run.
  func serve() {
    while true {
      switch nextTurn() {
      case .leave: return
      case .run(let offer): offer()
      case .sleep: wakeUp.wait()
      }
    }
  }

  private func nextTurn() -> Turn {
    let turn = state.withLock { state -> Turn in
      if state.isFinished { return .leave }
      return (state.calls.popFirst() ?? state.offers.popFirst()).map(Turn.run) ?? .sleep
    }
    guard case .sleep = turn else { return turn }
    var outer = outer
    while let waiter = outer {
      if let offer = waiter.state.withLock({ $0.offers.popFirst() }) { return .run(offer) }
      outer = waiter.outer
    }
    return .sleep
  }
}
