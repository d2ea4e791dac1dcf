import Dispatch

/// The end of the time that an await has.
///
/// When it comes, the wait ends and what it waited for is called off, on a worker: the thread that waits may be busy, since it
/// was lent to the very work that is to be called off, and the timers' queue must not run the user's handlers.
final class Deadline: Sendable {
  private enum Phase {
    case pending(() -> Void)
    case over
  }

  private let scope: Cancellation
  private let phase: Locked<Phase>
  private let timer = Locked<Delay?>(nil)
  private let isCalledOff = DispatchSemaphore(value: 0)

  /// After `timeout` calls `expire`, which ends the wait and does not block, and calls `scope` off.
  init(after timeout: Duration, of scope: Cancellation, _ expire: @escaping () -> Void) {
    self.scope = scope
    phase = Locked(.pending(expire))
    let delay = Delay.run(after: timeout.seconds) { [self] in fire() }
    timer.withLock { $0 = delay }
  }

  /// What to call when the time is up, once; `nil` if it is over already, one way or the other.
  private func takeExpire() -> (() -> Void)? {
    phase.withLock { phase in
      guard case .pending(let expire) = phase else { return nil }
      phase = .over
      return expire
    }
  }

  private func fire() {
    // Whoever has closed the scope brings the outcome at once. Who does so from now on hears that it is too late.
    guard scope.doom(), let expire = takeExpire() else { return }
    // In this order: the wait ends since its time is up, and not since it was called off for that.
    expire()
    Workers.shared.submit(.urgent) { [self] in
      scope.cancel()
      isCalledOff.signal()
    }
  }

  /// Lets go of the timer, unless the time was up.
  func stop() {
    timer.withLock { $0.take() }?.cancel()
    _ = takeExpire()
  }

  /// Lets go of the timer, or, if the time was up, waits until what was to be called off has been.
  func end() {
    timer.withLock { $0.take() }?.cancel()
    if takeExpire() == nil { isCalledOff.wait() }
  }
}
