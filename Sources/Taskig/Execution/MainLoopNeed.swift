import Dispatch
import Foundation
import Synchronization

/// A run that goes on elsewhere and may need the main queue for what Taskig does not see, as Swift's `async` code does that hops
/// to the main actor.
///
/// The main thread, if it waits for the run, lets its run loop go on meanwhile, in which the main queue gets its turns.
final class MainLoopNeed: LentWork {
  /// Turns, of a hundredth of a second, after which a main queue that has had none is taken to be held for good.
  private static let tooMany = 100

  let waiter: Waiter?
  private let site: CallSite
  private let isOver = Atomic(false)
  private let turns = Atomic(0)
  private let isServed = Atomic(false)

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
    let turns = turns.add(1, ordering: .relaxed).oldValue
    if turns == 0 { DispatchQueue.main.async { [self] in isServed.store(true, ordering: .relaxed) } }
    if turns == Self.tooMany, !isServed.load(ordering: .relaxed) {
      TaskigReport.mainQueueHeld(file: "\(site.file)", line: site.line).send()
    }
    ThreadContext.current.turn(.default, after: turns)
  }
}
