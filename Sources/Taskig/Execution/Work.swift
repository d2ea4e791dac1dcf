import Dispatch

/// What the runtime runs: the one shape that plain and throwing tasks share.
@usableFromInline
protocol Work {
  associatedtype Subject
  associatedtype Outcome

  /// Where the action must run.
  var queue: DispatchQueue { get }

  /// Where the task comes from, for messages; `nil` if it does not know.
  var origin: TaskOrigin? { get }

  /// What calls this very task off, if anything can.
  var cancellation: Cancellation? { get }

  /// What a task that is called off ends with; `nil` if it has no such outcome, and so runs and is waited for all the same.
  static var cancelled: Outcome? { get }

  /// The outcome, if the task has one for good, and it is there.
  var settled: Outcome? { get }

  /// Whether running the task is to wait for an outcome that comes from elsewhere, and no more.
  static var onlyJoins: Bool { get }

  /// Has a task that has, or will have, one outcome for good report it to `completion`; `false` if the task is none.
  func join(_ completion: Completion<Outcome>, at site: CallSite) -> Bool

  /// Runs the action, on the thread that calls, if it has its outcome when it returns and needs no completion; `nil` if not.
  func runDirectly() -> Outcome?

  /// Runs the action, on the thread that calls; the outcome goes to `completion`, now or later.
  func start(_ completion: @escaping @Sendable (Outcome) -> Void)

  /// What a waiter gets when the action let go of its completion without calling it.
  func lost(at site: CallSite) -> Outcome

  /// The error that says so.
  var loss: any Error { get }

  /// The error that `outcome` is, if it is one.
  static func failure(of outcome: Outcome) -> (any Error)?
}

/// The work that a task is.
@usableFromInline
protocol TaskWork: Work {
  init(task: Subject)
}

extension Work {
  /// Runs the action, on the thread that calls, within the frame on top, and has it report to `completion`.
  @inlinable
  func run(in frame: UnsafeMutablePointer<Frame>, _ completion: Completion<Outcome>, at site: CallSite) {
    Frame.handOn(frame, completion)
    if join(completion, at: site) { return }
    guard let origin else {
      // Most tasks of the user's own: nothing of theirs has to be kept for a report that is hardly ever made.
      return start { outcome in
        if !completion.complete(outcome) { reportMisuse(of: completion, by: .type(Subject.self), Subject.self) }
      }
    }
    start { outcome in
      if !completion.complete(outcome) { reportMisuse(of: completion, by: origin, Subject.self) }
    }
  }

  /// What the task is called in messages.
  @usableFromInline
  var name: String { (origin ?? .type(Subject.self)).name(Subject.self) }

  /// A job that runs the action once on `lane` for `waiter`, and reports to `completion`.
  ///
  /// It is the job that holds `completion`, until it has run; then only the action does.
  ///
  /// If `mayStart` says otherwise when the job's turn comes, the action does not run, and its outcome is lost.
  func job(
    on lane: Lane?, for waiter: Waiter?, in scope: Cancellation?, _ completion: Completion<Outcome>, at site: CallSite,
    if mayStart: @escaping () -> Bool = { true }
  ) -> Job {
    Job(on: lane, for: waiter, in: scope) {
      // A job runs in a frame of its own.
      guard mayStart(), let frame = ThreadContext.current.top else { return }
      let cancellation = cancellation
      withExtendedLifetime(cancellation) {
        if let cancellation { frame.pointee.begin(cancellation) }
        waiter?.watched?.come(to: .runs)
        if let cancelled = Self.cancelled, Frame.isCancelled(frame) {
          completion.complete(cancelled)
        } else if !Self.onlyJoins, let outcome = runDirectly() {
          // The run is over, and not only when whoever waits for it has noticed.
          scope?.end()
          completion.complete(outcome)
        } else {
          run(in: frame, completion, at: site)
          waiter?.watched?.come(to: .returned)
        }
      }
    }
  }

  /// How a run ends whose completion got `outcome`; `nil` if its action let go of that.
  ///
  /// An action that is called off often does so on purpose, and then nothing has been lost.
  func ending(_ outcome: Outcome?, in scope: Cancellation?) -> Ending<Outcome> {
    if let outcome { return .outcome(outcome) }
    return Self.cancelled != nil && scope?.isCancelled == true ? .interrupted(.cancelled) : .lost
  }

  /// What the waiter gets in the end; `nil` if it is nothing, since the time was up.
  func resolve(_ ending: Ending<Outcome>, at site: CallSite) -> Outcome? {
    switch ending {
    case .outcome(let outcome): outcome
    case .lost: lost(at: site)
    // Only work that has an outcome for it is told.
    case .interrupted(.cancelled): Self.cancelled ?? lost(at: site)
    case .interrupted(.timedOut): nil
    }
  }
}

/// Reports that a task, of `type` and from `origin`, called `completion` again, the first time that it does.
@usableFromInline
func reportMisuse<Outcome>(of completion: Completion<Outcome>, by origin: TaskOrigin, _ type: Any.Type) {
  if completion.noteMisuse() { TaskigReport.completedTwice(task: origin.name(type)).send() }
}

/// A task that has what calls it off at hand.
@usableFromInline
protocol CancellationOwner {
  /// What calls `task` off, which is one of this type; `nil` if that makes itself known as the outcome.
  static func cancellation<T>(of task: T) -> Cancellation?
}

/// A task whose action may be a closure that returns its outcome: then nothing has to be made to catch it.
///
/// Without this, a stock task's await would cost the allocation of a completion, which is as much as all the rest. It is a
/// protocol beside `TaskType` and no requirement of it, so that a conformer has one way to do its work and not two.
///
/// It is asked of the type: a task is copied to the heap to be asked itself. The question before, whether it conforms, is put to
/// the task all the same, since of that the compiler knows the answer.
@usableFromInline
protocol DirectTask {
  /// Runs the action of `task`, which is one of this type, if it returns its outcome, which is an `Outcome`; `nil` if it wants a
  /// completion.
  static func runDirectly<T, Outcome>(_ task: T, as type: Outcome.Type) -> Outcome?
}

/// A task that has one outcome for good, once it is there, however often it is awaited.
///
/// It is asked of the type, as a ``DirectTask`` is, and does not run when it is awaited: who awaits it joins those who wait.
@usableFromInline
protocol SettlingTask {
  /// The outcome of `task`, which is one of this type, if it is there.
  static func settled<T, Outcome>(_ task: T, as type: Outcome.Type) -> Outcome?

  /// Has `task`, which is one of this type, report to `completion`, on behalf of the await at `site`.
  static func join<T, Outcome>(_ task: T, _ completion: Completion<Outcome>, at site: CallSite)
}

/// The same value by another name of its type, where the caller knows what the compiler does not.
@inlinable
func sameType<Value, Other>(_ value: Value, as other: Other.Type) -> Other {
  precondition(Value.self == Other.self)
  return unsafeBitCast(value, to: other)
}
