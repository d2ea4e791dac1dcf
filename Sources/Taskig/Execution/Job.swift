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

  /// Puts the job in line on `queue`, which is its lane's, behind all that was put there before.
  func post(to queue: DispatchQueue) {
    lane?.line.append(self, on: queue)
    queue.async { [self] in run() }
  }

  /// Offers the job to all whose threads may hold its queue: to those that wait for `waiter`, which waits for the job, and, if
  /// `here`, to `waiter`.
  func offer(to waiter: Waiter, here: Bool) {
    // A global queue is held by nobody, and has other threads. One that waits would run out of stack for nothing.
    if lane?.isGlobal == false { waiter.offer(self, here: here) }
  }

  /// Runs the job if the calling thread, which waits for it, is on the job's queue.
  func runIfHere() {
    let thread = ThreadContext.current
    guard let lane, thread.holds(lane), isOpen else { return }
    if !thread.hasLastRoom { Blocking.trapTooDeep("that take turns on two queues ", at: CallSite(#fileID, #line)) }
    run()
  }
}

extension Job: QueuedWork {}
