import Dispatch
import Foundation

/// What Taskig knows of a thread: its stack, and the tasks that run on it.
@usableFromInline
final class ThreadContext {
  private static let slot = ThreadLocal { ThreadContext() }

  /// The calling thread's context.
  static var current: ThreadContext { slot.value }

  /// Runs `body` with the calling thread's context, as `current`, where nanoseconds count.
  @inline(__always)
  static func withCurrent<R>(_ body: (ThreadContext) -> R) -> R { slot.withValue(body) }

  /// The queue of tasks that name none, at hand: looking it up takes longer than all else that an await asks.
  let defaultQueue = DispatchQueue.taskDefault

  private let stack = StackBounds.ofCurrentThread()
  let isMain = Thread.isMainThread

  /// Where the thread waits until an await on it has something to do.
  private let parking: Parking

  /// The innermost of the awaits for which this thread waits.
  private(set) var innermost: Waiter?

  /// The await that has lent this thread to what it does now.
  private var lender: Waiter?

  /// The Swift task in the middle of whose code this thread is while its run loop goes on: to Swift, it is still the current one.
  private var blockedTask: Int?

  /// The mode in which the run loop goes on while this thread waits; `nil` if it is not to.
  private var mode: RunLoop.Mode?

  /// The queues that Taskig entered on this thread and has not left, each with the innermost wait at that time.
  private var entered: [(lane: Lane, outer: Waiter?)] = []

  /// The innermost of the runs on this thread that are watched.
  var watched: WatchedRun?

  /// The thread as the system knows it, if it does.
  private(set) lazy var systemThread = SystemThread.current

  /// The innermost of the runs on this thread that Taskig has begun here; the code at hand may be a part of an ``AsyncRun`` beside.
  private(set) var top: UnsafeMutablePointer<Frame>?

  private init() {
    parking = Parking(isMain: isMain)
    // Before any await on any thread.
    Watchdog.startedFromEnvironment
  }

  /// Whether the stack has room for one more task in place.
  var hasRoom: Bool { stack.hasRoom }

  /// Whether it has for a task that must run on this thread.
  var hasLastRoom: Bool { stack.hasLastRoom }

  /// The await on another thread that waits for what runs here; `nil` if nobody does.
  var waiter: Waiter? { withTop { $0?.pointee.waiter?.takeUnretainedValue() } }

  /// The queue that Taskig entered for what runs here; `nil` if it entered none.
  var lane: Lane? { top?.pointee.lane?.takeUnretainedValue() }

  /// Whether what runs here has been cancelled.
  var isCancelled: Bool { withTop { $0.map(Frame.isCancelled) ?? false } }

  /// What calls off what runs here; `nil` if nothing does.
  var scope: Cancellation? { withTop { $0.flatMap(Frame.scope) } }

  /// Whether this thread will wait, without a turn of its run loop, until the run that it is in has ended.
  var waitsForTop: Bool { withTop { $0.map(Frame.isAwaitedHere) ?? false } }

  /// The await that waits for what is handed on here; `nil` if nobody does.
  var waiterForHandedOn: Waiter? { withTop { $0.flatMap { Frame.waitForHandedOn($0) { makeWaiter() } } } }

  /// Whether the thread is on the lane's queue, or holds it beneath another that it has entered since.
  func holds(_ lane: Lane) -> Bool {
    // A thread is the main thread for good, and only it drains the main queue, until `dispatchMain()` ends it.
    lane.isCurrent || self.lane === lane || (lane.isMain && isMain)
  }

  /// Whether this thread keeps nobody out of anything.
  var holdsNothing: Bool { !isMain && lane == nil && CurrentQueue.isShared }

  /// A waiter for an await on this thread, which runs parts of it itself if it `takesPart`.
  func makeWaiter(takesPart: Bool = false) -> Waiter {
    // A thread that is on a shared queue and has entered none keeps nobody out, and has nothing to lend.
    let canLend = takesPart || !holdsNothing
    // Where the main queue is drained by no thread in particular, the one that is in a block of it.
    let servesMainQueue = isMain || canLend && Lane.main.isCurrent
    return Waiter(
      parent: waiter, outer: innermost, servesOuter: innermost !== lender, canLend: canLend,
      servesMainQueue: servesMainQueue, watched: watched, parking: parking)
  }

  /// Runs `body` while `waiter` is the innermost that this thread waits for.
  func waiting(for waiter: Waiter, _ body: () -> Void) {
    let outer = innermost
    innermost = waiter
    defer { innermost = outer }
    body()
  }

  /// Blocks this thread until `waiter`, which is its own, is finished; its run loop goes on meanwhile, if it is to, in `mode`.
  ///
  /// Each time before it rests, `look` is called.
  func wait(for waiter: Waiter, inRunLoop mode: RunLoop.Mode? = nil, _ look: () -> Void = {}) {
    Dismantler.finish()
    let watched = waiter.isOver ? nil : waiter.watched
    watched?.tell(.parked)
    defer {
      waiter.leave()
      watched?.tell(.resumed)
    }
    waiting(for: waiter) {
      let outerMode = self.mode
      self.mode = mode
      defer { self.mode = outerMode }
      guard waiter.canLend else { return serve(waiter, look) }
      // Before the look at what is held: a lane that is made meanwhile is then found by one of the two.
      let isStray = Lane.current == nil && !isMain && !CurrentQueue.isShared
      var held = held
      for (lane, outer) in held { lane.line.park(waiter, within: outer) }
      defer { for (lane, _) in held { lane.line.unpark(waiter) } }
      guard isStray else { return serve(waiter, look) }
      Lane.addStray(waiter)
      defer { Lane.removeStray(waiter) }
      serve(waiter) {
        look()
        guard let lane = Lane.current, !held.contains(where: { $0.lane === lane }) else { return }
        held.append((lane, nil))
        lane.line.park(waiter, within: nil)
      }
    }
  }

  private func serve(_ waiter: Waiter, _ look: () -> Void) {
    var turns = 0
    waiter.serve(look) { work in
      lend(for: waiter, work.runIfHere)
    } rest: {
      guard mode != nil else { return parking.wait() }
      lend(for: waiter) { turn(atMost: Parking.slice(after: turns)) }
      turns += 1
    }
  }

  private func lend(for waiter: Waiter, _ body: () -> Void) {
    let outer = lender
    lender = waiter
    defer { lender = outer }
    body()
  }

  /// Whether the main queue gets its turns in those of the run loop.
  var turnsServeMainQueue: Bool { mode == nil || mode == .default }

  /// The run of `async` code that the code at hand is a part of.
  var asyncRun: AsyncRun? { AsyncRun.ofCode(besides: blockedTask) }

  /// Lets the run loop go on for a turn; see ``Parking/turn(_:atMost:)``.
  ///
  /// What comes up in it is no part of what the thread is in the middle of.
  ///
  /// Turns that lie in one another need more and more of the stack. Before that is used up, the loop stands still.
  func turn(atMost slice: TimeInterval) {
    guard hasRoom else { return parking.wait(atMost: slice) }
    let outer = blockedTask
    blockedTask = AsyncRun.currentTask
    defer { blockedTask = outer }
    withoutTask { parking.turn(mode ?? .default, atMost: slice) }
  }

  /// Runs `body`, which is no part of what the thread is in the middle of.
  func withoutTask(_ body: () -> Void) {
    let (top, watched) = (top, watched)
    (self.top, self.watched) = (nil, nil)
    defer { (self.top, self.watched) = (top, watched) }
    body()
  }

  /// The queues that nobody else gets into while this thread waits, as far as can be told.
  private var held: [(lane: Lane, outer: Waiter?)] {
    var held = entered
    // Made now if it is not there yet, so that it is seen where the main queue is drained by another thread.
    let main = Lane.main
    if isMain { held.append((main, nil)) }
    if let lane = Lane.current, !held.contains(where: { $0.lane === lane }) { held.append((lane, nil)) }
    return held
  }

  /// Runs `body`, which is on `lane` if there is one, on top of `frame`.
  func run(in frame: Frame, on lane: Lane?, _ body: () -> Void) {
    guard let lane, !lane.isGlobal else { return run(in: frame, body) }
    entered.append((lane, innermost))
    defer { entered.removeLast() }
    run(in: frame, body)
  }

  /// Runs `body`, which goes on with something that `waiter` waits for and may hand it on.
  func continuing(for waiter: Waiter, _ body: () -> Void) {
    run(in: Frame(lane: lane, waiter: waiter, scope: nil)) {
      // The waiter stands in for a completion: there is one, somewhere, but it is not at hand.
      if let top { Frame.handOn(top, waiter) }
      body()
    }
  }

  /// Whether the code at hand is in no task.
  var isOutsideOfTasks: Bool { withTop { $0 == nil } }
}

extension ThreadContext {
  /// Calls `body` with the innermost run that the code at hand is a part of, if it is part of any; it must not be kept.
  func withTop<R>(_ body: (UnsafeMutablePointer<Frame>?) -> R) -> R {
    guard top == nil, let run = asyncRun else { return body(top) }
    var frame = Frame(partOf: run)
    return withUnsafeMutablePointer(to: &frame) { body($0) }
  }

  /// Puts `frame` on top, within the surroundings of the frame below it.
  func push(_ frame: UnsafeMutablePointer<Frame>) {
    if top == nil, let run = asyncRun {
      top = .allocate(capacity: 1)
      top?.initialize(to: Frame(partOf: run))
      watched = run.watched
    }
    frame.pointee.stack(on: top, of: self, inheriting: true)
    top = frame
  }

  /// Runs `body` as a part of the run on top that `scope` calls off too.
  func run<R>(inside scope: Cancellation, _ body: () -> R) -> R {
    var frame = Frame(partIn: scope)
    return withUnsafeMutablePointer(to: &frame) { frame in
      push(frame)
      defer { Self.pop(frame) }
      return body()
    }
  }

  static func pop(_ frame: UnsafeMutablePointer<Frame>) {
    Frame.end(frame)
    frame.pointee.thread?._withUnsafeGuaranteedRef { thread in
      // Only threads' contexts push frames.
      unsafeDowncast(thread, to: ThreadContext.self).comeBack(to: frame.pointee.below)
    }
  }

  /// Puts `frame` on top again.
  private func comeBack(to frame: UnsafeMutablePointer<Frame>?) {
    guard let frame, frame.pointee.isOfAsyncRun else {
      top = frame
      return
    }
    // It was there for the frame above it alone, of a call that has ended within one job.
    (top, watched) = (nil, nil)
    frame.deallocate()
  }

  /// Runs `body` on top of `frame`, which brings surroundings of its own.
  func run(in frame: Frame, _ body: () -> Void) {
    var frame = frame
    withUnsafeMutablePointer(to: &frame) { frame in
      frame.pointee.stack(on: top, of: self, inheriting: false)
      top = frame
      defer { Self.pop(frame) }
      body()
    }
  }
}
