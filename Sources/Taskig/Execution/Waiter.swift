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
    var offers = FIFO<Offer>()
  }

  private enum Turn {
    case leave
    case run(Offer)
    case sleep
  }

  /// The await that waits for the thread on which this one blocks.
  let parent: Waiter?

  private let state = Locked(State())
  private let wakeUp = DispatchSemaphore(value: 0)

  init(parent: Waiter?) {
    self.parent = parent
  }

  /// Ends the wait; from any thread, at any time.
  @usableFromInline
  func finish() {
    state.withLock { $0.isFinished = true }
    wakeUp.signal()
  }

  /// Lets the blocked thread do some work; an offer that comes too late is dropped, so it is made elsewhere too.
  func offer(_ offer: @escaping Offer) {
    let isWanted = state.withLock { state in
      guard !state.isFinished else { return false }
      state.offers.append(offer)
      return true
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

  /// Blocks the calling thread until `finish()`, running what it is offered and can run.
  @usableFromInline
  func wait() {
    while true {
      let turn = state.withLock { state -> Turn in
        if state.isFinished { return .leave }
        return state.offers.popFirst().map(Turn.run) ?? .sleep
      }
      switch turn {
      case .leave: return
      case .run(let offer): offer()
      case .sleep: wakeUp.wait()
      }
    }
  }
}
