import Dispatch

/// The one judge of where an awaited action runs, and of whether the calling thread may block for it at all.
@usableFromInline
enum Blocking {
  enum Verdict {
    /// On the calling thread, which is already where the action must run.
    case here
    /// On the calling thread, after it has entered the queue with `sync`.
    case inside(Lane)
    /// On another thread, while this one waits; on this lane, or anywhere.
    case elsewhere(Lane?)
  }

  /// Decides for an await, made on `thread`, of a task on `queue`; traps if it could never end.
  @inline(__always)
  static func judge(_ queue: DispatchQueue, on thread: ThreadContext, at site: CallSite) -> Verdict {
    requireMayBlock(thread, at: site)
    guard queue === thread.defaultQueue else { return judgeNamed(queue, on: thread, at: site) }
    return thread.hasRoom ? .here : .elsewhere(nil)
  }

  private static func judgeNamed(_ queue: DispatchQueue, on thread: ThreadContext, at site: CallSite) -> Verdict {
    let lane = Lane.of(queue)
    if thread.holds(lane) {
      if lane.isMain, thread.isOutsideOfTasks { trapOnMain(at: site) }
      if thread.hasRoom { return .here }
      if lane.isGlobal { return .elsewhere(lane) }
      if !thread.hasLastRoom { trapTooDeep("on the queue “\(queue.label)” ", at: site) }
      return .here
    }
    // `sync` gives the thread away for as long as the queue is busy. So it must keep nobody out meanwhile, as a thread does
    // that holds a queue, and nobody may need to lend it, as somebody may who waits for what it does.
    let mayEnter = thread.lane == nil && thread.waiter == nil && thread.hasRoom && CurrentQueue.isShared && !lane.isMain
    return mayEnter ? .inside(lane) : .elsewhere(lane)
  }

  /// Stops the program if the calling thread is one that the app forbids to block.
  @usableFromInline
  static func requireMayBlock(at site: CallSite) { requireMayBlock(.current, at: site) }

  /// Stops the program if `thread` is one that the app forbids to block.
  @inline(__always)
  static func requireMayBlock(_ thread: ThreadContext, at site: CallSite) {
    if TaskigSettings.forbidsBlockingMainThread, thread.holds(.main) { trapOnForbiddenMain(at: site) }
  }

  @inline(never)
  private static func trapOnForbiddenMain(at site: CallSite) -> Never {
    trap(
      "await was called on the main thread, which this app forbids to block (TaskigSettings.forbidsBlockingMainThread).",
      consequence: "The main thread would stand still until the work is done, and with it all that the user sees.",
      remedy: "Use async { }, or await on another thread.",
      at: site)
  }

  private static func trapOnMain(at site: CallSite) -> Never {
    trap(
      "await() was called on the main queue for a task whose queue is .main.",
      consequence: "The main thread would wait for work that only the main thread can do: a deadlock.",
      remedy: "Call the code directly, use async { }, or await the task from another thread or from inside a task.",
      at: site)
  }

  static func trapTooDeep(_ place: String, at site: CallSite) -> Never {
    trap(
      "Tasks \(place)await each other so deeply that the stack of the thread that they need is used up.",
      consequence: "The next one would overflow it, and it cannot move: it must run where it is.",
      remedy: "Let the inner tasks name no queue; then they move to a fresh stack.",
      at: site)
  }
}

extension Frame {
  /// Pushes a frame at `frame` on the calling thread, for a run that `task` calls off, and returns whether that can begin right
  /// here; otherwise the caller goes through `awaitElsewhere`.
  ///
  /// A run that is `heeding` cancellation does not begin in one that has been cancelled.
  @usableFromInline
  static func enter(
    _ frame: UnsafeMutablePointer<Frame>, for task: Cancellation?, on queue: DispatchQueue, heeding: Bool,
    at site: CallSite
  ) -> Bool {
    start(frame, for: task)
    return ThreadContext.withCurrent { thread in
      let verdict = Blocking.judge(queue, on: thread, at: site)
      thread.push(frame)
      guard case .here = verdict, !Watching.isOn else { return false }
      return !heeding || !isCancelled(frame)
    }
  }

  /// Pushes a frame at `frame` on the calling thread, for a run that `task` calls off and that will not begin here.
  static func enter(_ frame: UnsafeMutablePointer<Frame>, for task: Cancellation?) {
    start(frame, for: task)
    ThreadContext.current.push(frame)
  }

  private static func start(_ frame: UnsafeMutablePointer<Frame>, for task: Cancellation?) {
    frame.initialize(to: Frame(.await))
    if let task { frame.pointee.begin(task) }
  }

  /// Pops the frame that `enter` pushed on this thread.
  @usableFromInline
  static func leave(_ frame: UnsafeMutablePointer<Frame>) {
    ThreadContext.pop(frame)
  }
}
