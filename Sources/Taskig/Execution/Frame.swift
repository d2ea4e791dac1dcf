import Dispatch
import Synchronization

/// One task's run on a thread's stack: what an await made inside it needs to know of its surroundings.
///
/// Frames lie on the stack and link to the one below, so pushing and popping one costs a few instructions. What a frame
/// points at is kept alive by the `Job` that runs at the bottom of the stack, by the call that pushed it, or until it is
/// left.
@usableFromInline
struct Frame {
  private(set) var below: UnsafeMutablePointer<Frame>?

  /// The context of the thread whose stack this is, so that leaving need not look it up again.
  private(set) var thread: Unmanaged<AnyObject>?

  /// The queue that Taskig entered for the work on this stack; `nil` if it entered none.
  private(set) var lane: Unmanaged<Lane>?

  /// The await on another thread that waits for the work on this stack; `nil` if nobody does.
  private(set) var waiter: Unmanaged<Waiter>?

  /// The nearest run below that can be cancelled.
  private var cancellable: UnsafeMutablePointer<Frame>?

  /// What calls this very task off, and its mark when the run began.
  private var task: Unmanaged<Cancellation>?
  private var mark = 0

  /// What calls this run off, once something must be able to reach it from elsewhere.
  private var scope: Unmanaged<Cancellation>?

  private var ownsScope = false

  /// What the action completes, if it does not return its outcome; then the run may end later, through others.
  private var completion: Unmanaged<AnyObject>?

  /// The wait for this very run, where `waiter` may wait for one below.
  private var runWaiter: Unmanaged<Waiter>?

  @usableFromInline
  enum Role {
    /// The run is awaited on the thread that it is on, and the wait for it is this frame's.
    case await
    /// A part of the run below, to which all belongs that it hands on.
    case part
    /// The run of whatever a thread was brought for.
    case job
    /// A run of Swift's `async` code, which the code on this stack is a part of.
    case asyncRun
  }

  private let role: Role

  /// Whether the run has left anything here that has to be given up.
  @usableFromInline private(set) var hasGathered = false

  /// `Cancellation.count` when this run and those below were last found not to be cancelled.
  private var clean = -1

  /// A frame that, when pushed, takes over the surroundings of the one below.
  init(_ role: Role) {
    self.role = role
  }

  /// A frame for one run after the other, all of which `waiter` waits for.
  init(forRunsOf waiter: Waiter) {
    self.init(.job)
    runWaiter = .passUnretained(waiter)
  }

  /// The bottom frame of work that runs on `lane` for `waiter` and that `scope` calls off.
  init(lane: Lane?, waiter: Waiter?, scope: Cancellation?) {
    self.init(.job)
    self.lane = lane.map(Unmanaged.passUnretained)
    self.waiter = waiter.map(Unmanaged.passUnretained)
    self.scope = scope.map(Unmanaged.passUnretained)
    runWaiter = self.waiter
  }

  /// The bottom frame of code that is a part of `run`, which outlives it.
  init(partOf run: AsyncRun) {
    self.init(.asyncRun)
    waiter = run.waiter.map(Unmanaged.passUnretained)
    scope = run.scope.map(Unmanaged.passUnretained)
    runWaiter = waiter
    // The waiter stands in for a completion: there is one, somewhere, but it is not at hand.
    completion = run.waiter.map { .passUnretained($0) }
  }

  var isOfAsyncRun: Bool { role == .asyncRun }

  /// A frame for a part of the run below that `scope` calls off too.
  init(partIn scope: Cancellation) {
    self.init(.part)
    self.scope = .passUnretained(scope)
  }

  /// Begins the run of a task that `task` calls off.
  mutating func begin(_ task: Cancellation) {
    self.task = .passUnretained(task)
    mark = task.mark
    clean = -1
    hasGathered = true
  }

  /// Calls `body` with room for a frame on the stack, which `enter` fills and `leave` gives up.
  @inlinable
  @inline(__always)
  static func withRoom<R>(_ body: (UnsafeMutablePointer<Frame>) -> R) -> R {
    withUnsafeTemporaryAllocation(of: Frame.self, capacity: 1) { room in
      // A buffer of one element has an address.
      body(room.baseAddress.unsafelyUnwrapped)
    }
  }

  /// Puts the frame on top of `below` on the stack of `thread`, whose surroundings it takes over if it brings none of its own.
  mutating func stack(on below: UnsafeMutablePointer<Frame>?, of thread: AnyObject, inheriting: Bool) {
    self.thread = .passUnretained(thread)
    self.below = below
    guard inheriting, let below else { return }
    lane = below.pointee.lane
    waiter = below.pointee.waiter
    cancellable = below.pointee.isCancellable ? below : below.pointee.cancellable
  }

  private var isCancellable: Bool { task != nil || scope != nil }
}

extension Frame {
  /// Whether this run, or one that it is a part of, has been cancelled.
  @usableFromInline
  static func isCancelled(_ frame: UnsafeMutablePointer<Frame>) -> Bool {
    let count = Cancellation.count.load(ordering: .acquiring)
    var next: UnsafeMutablePointer<Frame>? = frame
    var isSure = true
    while let current = next, current.pointee.clean != count {
      if let task = current.pointee.task {
        let isCancelled = task._withUnsafeGuaranteedRef { task in
          isSure = isSure && !task.isAskedOnly
          return task.isCancelled(since: current.pointee.mark)
        }
        if isCancelled { return true }
      }
      if let scope = current.pointee.scope, scope._withUnsafeGuaranteedRef({ $0.isCancelled }) { return true }
      next = current.pointee.cancellable
    }
    guard isSure else { return false }
    // All of them, so that the next look, from any, ends at once.
    let end = next
    next = frame
    while let current = next, current != end {
      current.pointee.clean = count
      next = current.pointee.cancellable
    }
    return false
  }

  /// What calls this run off, from wherever; `nil` if nothing does.
  ///
  /// It is made now, and with it that of each run below, for what will happen on other threads.
  static func scope(of frame: UnsafeMutablePointer<Frame>) -> Cancellation? {
    guard frame.pointee.isCancellable || frame.pointee.cancellable != nil else { return nil }
    var missing: [UnsafeMutablePointer<Frame>] = []
    var next: UnsafeMutablePointer<Frame>? = frame
    while let current = next, current.pointee.scope == nil {
      missing.append(current)
      next = current.pointee.cancellable
    }
    var scope = next?.pointee.scope?.takeUnretainedValue()
    for current in missing.reversed() { scope = makeScope(of: current, in: scope) }
    return scope
  }

  /// The same, if the run is one of the task that `task` calls off, and not one that it is a part of.
  static func scope(of frame: UnsafeMutablePointer<Frame>, ifRunOf task: Cancellation) -> Cancellation? {
    frame.pointee.task?._withUnsafeGuaranteedRef({ $0 === task }) == true ? scope(of: frame) : nil
  }

  /// What calls this run off, made now if there is none, also if nothing does so yet.
  static func ownScope(of frame: UnsafeMutablePointer<Frame>) -> Cancellation {
    scope(of: frame) ?? makeScope(of: frame, in: nil)
  }

  private static func makeScope(of frame: UnsafeMutablePointer<Frame>, in parent: Cancellation?) -> Cancellation {
    let scope = Cancellation(in: parent)
    frame.pointee.task?._withUnsafeGuaranteedRef { scope.follow($0, since: frame.pointee.mark) }
    frame.pointee.scope = .passRetained(scope)
    frame.pointee.ownsScope = true
    frame.pointee.hasGathered = true
    return scope
  }

  /// The task's mark when the run began.
  static func mark(of frame: UnsafeMutablePointer<Frame>) -> Int { frame.pointee.mark }

  /// The scope, if there is one, which is then up to the caller; for a run that goes on when this frame is left.
  static func takeScope(of frame: UnsafeMutablePointer<Frame>) -> Cancellation? {
    guard frame.pointee.ownsScope, let scope = frame.pointee.scope.take() else { return nil }
    frame.pointee.ownsScope = false
    return scope.takeRetainedValue()
  }

  /// The wait for this run, made with `make` if there is none yet.
  static func wait(for frame: UnsafeMutablePointer<Frame>, orMake make: () -> Waiter) -> Waiter {
    if let waiter = frame.pointee.runWaiter { return waiter.takeUnretainedValue() }
    let waiter = make()
    frame.pointee.runWaiter = .passRetained(waiter)
    return waiter
  }

  /// Whether the run is awaited on the thread that it is on, which then waits.
  static func isAwaitedHere(_ frame: UnsafeMutablePointer<Frame>) -> Bool {
    switch frame.pointee.role {
    case .part: frame.pointee.below.map(isAwaitedHere) ?? false
    case .await: true
    case .job, .asyncRun: false
    }
  }

  /// Who waits for what the action of this run hands on; `nil` if it is none that ends through others, or nobody waits.
  static func waitForHandedOn(_ frame: UnsafeMutablePointer<Frame>, orMake make: () -> Waiter) -> Waiter? {
    switch frame.pointee.role {
    case .part: frame.pointee.below.flatMap { waitForHandedOn($0, orMake: make) }
    case _ where frame.pointee.completion == nil: nil
    case .await: wait(for: frame, orMake: make)
    case .job, .asyncRun: frame.pointee.runWaiter?.takeUnretainedValue()
    }
  }

  /// Notes that the run ends with `completion`, which its action gets and may hand on to others.
  @usableFromInline
  static func handOn(_ frame: UnsafeMutablePointer<Frame>, _ completion: AnyObject) {
    frame.pointee.completion = .passUnretained(completion)
    frame.pointee.hasGathered = true
  }

  /// What the run ends with, if its action does not return that.
  static func completion(of frame: UnsafeMutablePointer<Frame>) -> (any CompletionState)? {
    frame.pointee.completion?.takeUnretainedValue() as? any CompletionState
  }

  /// Begins the run of a task that `task` calls off.
  @usableFromInline
  static func begin(_ frame: UnsafeMutablePointer<Frame>, _ task: Cancellation) {
    frame.pointee.begin(task)
  }

  /// Gives up what the run has gathered; another can begin in the same place.
  @usableFromInline
  static func end(_ frame: UnsafeMutablePointer<Frame>) {
    frame.pointee.task = nil
    frame.pointee.completion = nil
    frame.pointee.clean = -1
    frame.pointee.hasGathered = false
    takeScope(of: frame)?.end()
    if frame.pointee.role == .await, let waiter = frame.pointee.runWaiter.take()?.takeRetainedValue() {
      waiter.finish()
      waiter.leave()
    }
  }
}
