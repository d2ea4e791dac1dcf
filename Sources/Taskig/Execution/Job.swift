import Dispatch

/// Work that is to run once, by whichever thread takes it first.
///
/// The same job may be offered in several places: in its queue's line, to a thread that holds that queue and waits for
/// this very job, to a ferry. Whoever comes first runs it; for the others nothing is left.
@usableFromInline
final class Job: Sendable {
  /// The queue that the work must run on; `nil` if any thread will do.
  let lane: Lane?

  private let waiter: Waiter?
  private let body: Locked<UncheckedTransfer<() -> Void>?>

  /// Makes a job out of `body`, which runs on `lane` on behalf of `waiter`.
  init(on lane: Lane?, for waiter: Waiter?, _ body: @escaping () -> Void) {
    self.lane = lane
    self.waiter = waiter
    self.body = Locked(UncheckedTransfer(body))
  }

  /// Whether nobody has taken the job yet.
  var isOpen: Bool { body.withLock { $0 != nil } }

  /// Runs the job, unless it has been taken, on the calling thread, which is on the job's queue.
  func run() {
    // The body goes with this call: what it captured must not outlive the run, or a dropped completion is never noticed.
    guard let body = body.withLock({ $0.take() }) else { return }
    let thread = ThreadContext.current
    thread.run(in: Frame(lane: lane ?? thread.lane, waiter: waiter), body.value)
  }

  /// Offers the job to `waiter`, and to all that wait for it in turn, whose threads may hold the job's queue.
  func offer(to waiter: Waiter?) {
    // A global queue is held by nobody, and has other threads. One that waits would run out of stack for nothing.
    if lane?.isGlobal == false { waiter?.offerUpwards { [self] in runIfHere() } }
  }

  private func runIfHere() {
    let thread = ThreadContext.current
    guard let lane, thread.holds(lane), isOpen else { return }
    if !thread.hasLastRoom { Blocking.trapTooDeep("that take turns on two queues ", at: CallSite(#fileID, #line)) }
    run()
  }
}

/// Carries a value to another thread without asking whether it is `Sendable`.
///
/// Cold tasks and their results need not be: an await hands them over and blocks, and an outcome is fresh for each await.
@usableFromInline
struct UncheckedTransfer<Value>: @unchecked Sendable {
  // because the sender gives the value up, or blocks until the receiver is done with it.
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }
}
