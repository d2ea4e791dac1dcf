import Dispatch

/// The end of the time that an await has.
///
/// When it comes, what the await waits for is called off at once, also if the thread that waits is busy, since it was lent. The
/// user's handlers are left to that thread: on the timers' queue they would hold up other timers.
final class Deadline: Sendable {
  private enum Phase {
    case pending
    case firing
    case fired([() -> Void])
    case ended
  }

  private let phase = Locked(Phase.pending)
  private let hasFired = DispatchSemaphore(value: 0)
  private let timer: Locked<Delay?>

  /// After `timeout` calls `expire`, which does not block, and calls `scope` off.
  init(after timeout: Duration, of scope: Cancellation, _ expire: @escaping () -> Void) {
    timer = Locked(nil)
    let expire = UncheckedTransfer(expire)
    let delay = Delay.run(after: timeout.seconds) { [self] in fire(scope, expire.value) }
    timer.withLock { $0 = delay }
  }

  private func fire(_ scope: Cancellation, _ expire: () -> Void) {
    let isDue = phase.withLock { phase -> Bool in
      guard case .pending = phase else { return false }
      phase = .firing
      return true
    }
    guard isDue else { return }
    // In this order: the wait ends since its time is up, and not since it was called off for that.
    expire()
    let handlers = scope.cancelWithoutHandlers()
    phase.withLock { $0 = .fired(handlers) }
    hasFired.signal()
  }

  /// Lets go of the timer and, if the time was up, calls the handlers of what was called off.
  func end() {
    timer.withLock { $0.take() }?.cancel()
    let isFiring = phase.withLock { phase -> Bool in
      switch phase {
      case .pending, .ended:
        phase = .ended
        return false
      case .firing, .fired: return true
      }
    }
    guard isFiring else { return }
    hasFired.wait()
    let fired = phase.withLock { phase in
      defer { phase = .ended }
      return phase
    }
    if case .fired(let handlers) = fired { for handler in handlers { handler() } }
  }
}
