import Foundation
import Synchronization

/// Two threads that do their parts of each round at the same moment, as often as they are told to.
///
/// They spin at the start line: a thread that has to be woken comes too late to race with anybody.
final class Racers: Sendable {
  private let round = Atomic(0)
  private let done = Atomic(0)
  private let isOver = Atomic(false)
  private let parts: [@Sendable () -> Void]

  init(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) {
    parts = [first, second]
    for part in parts {
      Thread.detachNewThread { [self] in
        var next = 1
        while true {
          while round.load(ordering: .acquiring) < next {
            if isOver.load(ordering: .relaxed) { return }
            sched_yield()
          }
          part()
          done.add(1, ordering: .acquiringAndReleasing)
          next += 1
        }
      }
    }
  }

  /// Starts a round; from any thread, when the one before has ended.
  func go() {
    round.add(1, ordering: .acquiringAndReleasing)
  }

  /// Waits for the end of the round; `false` if it does not come.
  func haveEnded() -> Bool {
    let expected = 2 * round.load(ordering: .acquiring)
    let end = ContinuousClock.now + .seconds(Machine.patience(30))
    var looks = 0
    while done.load(ordering: .acquiring) < expected {
      looks += 1
      if looks % 1_000 == 0, ContinuousClock.now > end { return false }
      sched_yield()
    }
    return true
  }

  /// Sends the threads home.
  func end() {
    isOver.store(true, ordering: .relaxed)
  }
}
