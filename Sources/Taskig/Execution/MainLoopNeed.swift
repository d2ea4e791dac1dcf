import Dispatch
import Foundation
import Synchronization

/// A run that goes on elsewhere and may need the main queue for what Taskig does not see, as Swift's `async` code does that hops
/// to the main actor.
///
/// The main thread, if it waits for the run, lets its run loop go on meanwhile, in which the main queue gets its turns. If it turns
/// out after a second that the queue gets none, that is reported.
final class MainLoopNeed: LentWork {
  /// Nanoseconds after which the main queue is asked whether it gets its turns, and for which it has time to say so; and how many
  /// turns it has for that at least.
  private static let patience = (time: UInt64(500_000_000), turns: 10)

  /// Seconds that a turn may take where it can be ended: not for ever, since in the middle of it another may lie that cannot be.
  private static let long: TimeInterval = 0.25

  private struct State {
    var turns = 0
    var start: UInt64?
    /// When the main queue was asked, and after how many turns.
    var probe: (time: UInt64, turns: Int)?
    var isServed = false
    var isReported = false

    /// What there is to be done before the next turn, about a main queue that may get none.
    mutating func next(at now: UInt64) -> Act {
      let start = start ?? now
      self.start = start
      guard let probe else {
        guard now - start > patience.time else { return .none }
        self.probe = (now, turns)
        return .probe
      }
      let isLate = now - probe.time > patience.time && turns - probe.turns > patience.turns
      guard isLate, !isServed, !isReported else { return .none }
      // Once is enough.
      isReported = true
      return .report
    }
  }

  private enum Act {
    case none
    case probe
    case report
  }

  let waiter: Waiter?
  private let site: CallSite
  private let isOver = Atomic(false)
  private let state = Locked(State())

  /// Asks the thread that serves the main queue, if it is one of those that wait for `waiter`, now or later.
  init(for waiter: Waiter, at site: CallSite) {
    self.waiter = waiter
    self.site = site
    waiter.offer(self, here: true)
  }

  /// The run is over.
  func end() {
    isOver.store(true, ordering: .releasing)
  }

  var isOpen: Bool { !isOver.load(ordering: .acquiring) }
  var isLasting: Bool { true }

  func runIfHere() {
    let thread = ThreadContext.current
    guard thread.turnsServeMainQueue else { return thread.turn(atMost: Parking.slice(after: .max)) }
    let now = DispatchTime.now().uptimeNanoseconds
    let (slice, act) = state.withLock { state in
      defer { state.turns += 1 }
      // Where the main queue gets its turns, a block in it ends one.
      return (state.isServed ? Self.long : Parking.slice(after: state.turns), state.next(at: now))
    }
    switch act {
    case .none: break
    case .probe: DispatchQueue.main.async { [self] in state.withLock { $0.isServed = true } }
    case .report: TaskigReport.mainQueueHeld(file: "\(site.file)", line: site.line).send()
    }
    thread.turn(atMost: slice)
  }
}
