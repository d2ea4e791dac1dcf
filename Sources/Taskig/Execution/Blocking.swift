import Dispatch

/// The one judge of where an awaited action runs, and of whether the calling thread may block for it at all.
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
  static func judge(_ queue: DispatchQueue, on thread: ThreadContext, at site: CallSite) -> Verdict {
    guard queue !== DispatchQueue.taskDefault else { return thread.hasRoom ? .here : .elsewhere(nil) }
    let lane = Lane.of(queue)
    if thread.holds(lane) {
      if lane.isMain, thread.top == nil { trapOnMain(at: site) }
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
  /// Pushes `frame` if the action can run right here; otherwise the caller goes through `awaitElsewhere`.
  @usableFromInline
  static func enter(_ frame: UnsafeMutablePointer<Frame>, for queue: DispatchQueue, at site: CallSite) -> Bool {
    let thread = ThreadContext.current
    guard case .here = Blocking.judge(queue, on: thread, at: site) else { return false }
    thread.push(frame)
    return true
  }

  /// Pops the frame that `enter` pushed on this thread.
  @usableFromInline
  static func leave(_ frame: UnsafeMutablePointer<Frame>) {
    ThreadContext.pop(frame)
  }
}
