import Dispatch

/// Work that is to run once, by whichever thread takes it first.
///
/// The same job may be offered in several places: in its queue's line, to a thread that holds that queue and waits for
/// this very job, to a ferry. Whoever comes first runs it; for the others nothing is left.
@usableFromInline
final class Job: Sendable {
  /// The queue that the work must run on; `nil` if any thread will do.
  let lane: Lane?

  /// The await that the job is for.
  let waiter: Waiter?

  private let scope: Cancellation?
  private let body: Locked<UncheckedTransfer<() -> Void>?>

  /// Makes a job out of `body`, which runs on `lane` on behalf of `waiter` and which `scope` calls off.
  init(on lane: Lane?, for waiter: Waiter?, in scope: Cancellation?, _ body: @escaping () -> Void) {
    self.lane = lane
    self.waiter = waiter
    self.scope = scope
    self.body = Locked(UncheckedTransfer(body))
  }

  /// Whether nobody has taken the job yet.
  var isOpen: Bool { body.withLock { $0 != nil } }

  /// Runs the job, unless it has been taken, on the calling thread, which is on the job's queue.
  func run() {
    // The body goes with this call: what it captured must not outlive the run, or a dropped completion is never noticed.
    guard let body = body.withLock({ $0.take() }) else { return }
    lane?.line.left(by: self)
    let thread = ThreadContext.current
    let watched = thread.watched
    thread.watched = waiter?.watched
    defer { thread.watched = watched }
    thread.run(in: Frame(lane: lane ?? thread.lane, waiter: waiter, scope: scope), on: lane, body.value)
  }

  /// Runs the job if the calling thread, which waits for it, is on the job's queue.
  func runIfHere() {
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
