import Dispatch
import Foundation

/// One task's run on a thread's stack: what an await made inside it needs to know of its surroundings.
///
/// Frames lie on the stack and link to the one below, so pushing and popping one costs a few instructions. What a frame
/// points at is kept alive by the `Job` that runs at the bottom of the stack, or by the call that pushed it.
@usableFromInline
struct Frame {
  fileprivate(set) var below: UnsafeMutablePointer<Frame>?

  /// The thread whose stack this is, so that leaving need not look it up again.
  fileprivate(set) var thread: Unmanaged<ThreadContext>?

  /// The queue that Taskig entered for the work on this stack; `nil` if it entered none.
  private(set) var lane: Unmanaged<Lane>?

  /// The await on another thread that waits for the work on this stack; `nil` if nobody does.
  private(set) var waiter: Unmanaged<Waiter>?

  /// A frame that, when pushed, takes over the surroundings of the one below.
  @usableFromInline
  init() {}

  /// The bottom frame of work that runs on `lane` for `waiter`.
  init(lane: Lane?, waiter: Waiter?) {
    self.lane = lane.map(Unmanaged.passUnretained)
    self.waiter = waiter.map(Unmanaged.passUnretained)
  }

  fileprivate mutating func inherit(from below: UnsafeMutablePointer<Frame>) {
    lane = below.pointee.lane
    waiter = below.pointee.waiter
  }
}

/// What Taskig knows of a thread: its stack, and the tasks that run on it.
@usableFromInline
final class ThreadContext {
  private static let slot = ThreadLocal { ThreadContext() }

  /// The calling thread's context.
  static var current: ThreadContext { slot.value }

  private let stack = StackBounds.ofCurrentThread()
  private let isMain = Thread.isMainThread

  /// Signalled when an await on this thread has something to do.
  private let wakeUp = DispatchSemaphore(value: 0)

  /// The innermost of the awaits for which this thread waits.
  private(set) var innermost: Waiter?

  /// The thread as the system knows it, if it does.
  private(set) lazy var systemThread = SystemThread.current
  private(set) var top: UnsafeMutablePointer<Frame>?

  /// Whether the stack has room for one more task in place.
  var hasRoom: Bool { stack.hasRoom }

  /// Whether it has for a task that must run on this thread.
  var hasLastRoom: Bool { stack.hasLastRoom }

  /// The await on another thread that waits for what runs here; `nil` if nobody does.
  var waiter: Waiter? { top?.pointee.waiter?.takeUnretainedValue() }

  /// A waiter for an await on this thread.
  func makeWaiter() -> Waiter { Waiter(parent: waiter, outer: innermost, wakeUp: wakeUp) }

  /// Runs `body` while `waiter` is the innermost that this thread waits for.
  func waiting(for waiter: Waiter, _ body: () -> Void) {
    let outer = innermost
    innermost = waiter
    defer { innermost = outer }
    body()
  }

  /// Blocks this thread until `waiter`, which is its own, is finished.
  func wait(for waiter: Waiter) {
    waiting(for: waiter) { waiter.serve() }
  }

  /// Whether this thread is on the lane's queue, or holds it beneath another that it has entered since.
  func holds(_ lane: Lane) -> Bool {
    // A thread is the main thread for good, and only it drains the main queue, until `dispatchMain()` ends it.
    lane.isCurrent || self.lane === lane || (lane.isMain && isMain)
  }

  /// The queue that Taskig entered for what runs here; `nil` if it entered none.
  var lane: Lane? { top?.pointee.lane?.takeUnretainedValue() }

  /// Puts `frame` on top, within the surroundings of the frame below it.
  func push(_ frame: UnsafeMutablePointer<Frame>) {
    frame.pointee.thread = Unmanaged.passUnretained(self)
    frame.pointee.below = top
    if let top { frame.pointee.inherit(from: top) }
    top = frame
  }

  static func pop(_ frame: UnsafeMutablePointer<Frame>) {
    frame.pointee.thread?._withUnsafeGuaranteedRef { $0.top = frame.pointee.below }
  }

  /// Runs `body` on top of `frame`, which brings surroundings of its own.
  func run(in frame: Frame, _ body: () -> Void) {
    var frame = frame
    withUnsafeMutablePointer(to: &frame) { frame in
      frame.pointee.thread = Unmanaged.passUnretained(self)
      frame.pointee.below = top
      top = frame
      defer { Self.pop(frame) }
      body()
    }
  }
}
