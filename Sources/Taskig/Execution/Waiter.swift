import Dispatch

/// A thread that is blocked in an await, and can be lent meanwhile.
///
/// Work that somewhere inside needs what this thread holds, the main thread say or a serial queue, is offered here. The
/// thread runs it if it really is on that queue, and nothing else: each waiter gets offers only from work that it waits
/// for, because only such work knows it, through `ThreadContext.waiter` and `parent`.
@usableFromInline
final class Waiter: Sendable {
  private struct State {
    var isFinished = false
    var offers = FIFO<Job>()
  }

  private enum Turn {
    case leave
    case run(Job)
    case sleep
  }

  /// The await that waits for the thread on which this one blocks.
  let parent: Waiter?

  private let state = Locked(State())
  private let wakeUp = DispatchSemaphore(value: 0)

  /// Makes a waiter for the calling thread.
  @usableFromInline
  init() {
    parent = ThreadContext.current.waiter
  }

  /// Ends the wait; from any thread, at any time.
  @usableFromInline
  func finish() {
    state.withLock { $0.isFinished = true }
    wakeUp.signal()
  }

  /// Lets the blocked thread run `job`, if it can; a job that comes too late stays where else it was offered.
  func offer(_ job: Job) {
    let isWanted = state.withLock { state in
      guard !state.isFinished else { return false }
      state.offers.append(job)
      return true
    }
    if isWanted { wakeUp.signal() }
  }

  /// Offers `job` to this waiter and to all that wait for it in turn.
  func offerUpwards(_ job: Job) {
    var waiter: Waiter? = self
    while let next = waiter {
      next.offer(job)
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
      case .run(let job): job.runIfHere()
      case .sleep: wakeUp.wait()
      }
    }
  }
}
