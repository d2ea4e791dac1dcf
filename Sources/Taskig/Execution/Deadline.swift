import Dispatch

/// The end of the time that an await has.
///
/// When it comes, the thread that waits goes on and calls off what it waited for. If it is busy, since it was lent, that is done
/// for it; only the user's handlers are left to it, as on the timers' queue they would hold up other timers.
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

  private let scope: Cancellation
  private let waiter: Waiter

  /// After `timeout` calls `expire`, which ends the wait of `waiter` and does not block; `scope` is what to call off.
  init(after timeout: Duration, for waiter: Waiter, of scope: Cancellation, _ expire: @escaping () -> Void) {
    self.waiter = waiter
    self.scope = scope
    timer = Locked(nil)
    let expire = UncheckedTransfer(expire)
    let delay = Delay.run(after: timeout.seconds) { [self] in fire(expire.value) }
    timer.withLock { $0 = delay }
  }

  private func fire(_ expire: () -> Void) {
    let isDue = phase.withLock { phase -> Bool in
      guard case .pending = phase else { return false }
      phase = .firing
      return true
    }
    guard isDue else { return }
    // In this order: the wait ends since its time is up, and not since it was called off for that.
    expire()
    let handlers = waiter.isBusy ? scope.cancelWithoutHandlers() : []
    phase.withLock { $0 = .fired(handlers) }
    hasFired.signal()
  }

  /// Lets go of the timer, or, if the time was up, calls off what was waited for.
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
    guard case .fired(let handlers) = fired else { return }
    scope.cancel()
    for handler in handlers { handler() }
  }
}
