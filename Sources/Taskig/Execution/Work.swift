import Dispatch

/// What the runtime runs: the one shape that plain and throwing tasks share.
@usableFromInline
protocol Work {
  associatedtype Task
  associatedtype Outcome

  init(task: Task)

  /// Where the action must run.
  var queue: DispatchQueue { get }

  /// Runs the action, on the thread that calls, if it has its outcome when it returns and needs no completion; `nil` if not.
  func runDirectly() -> Outcome?

  /// Runs the action, on the thread that calls; the outcome goes to `completion`, now or later.
  func start(_ completion: @escaping @Sendable (Outcome) -> Void)

  /// What a waiter gets when the action let go of its completion without calling it.
  func lost(at site: CallSite) -> Outcome
}

extension Work {
  /// A job that runs the action once on `lane` for `waiter`, and reports to `completion`.
  ///
  /// It is the job that holds `completion`, until it has run; then only the action does.
  func job(on lane: Lane?, for waiter: Waiter?, _ completion: Completion<Outcome>) -> Job {
    Job(on: lane, for: waiter) { start { completion.complete($0) } }
  }
}

/// A task whose action may be a closure that returns its outcome: then nothing has to be made to catch it.
///
/// Without this, a stock task's await would cost the allocation of a completion, which is as much as all the rest.
@usableFromInline
protocol DirectTask {
  /// Runs the action if it returns its outcome, which is an `Outcome`; `nil` if it wants a completion.
  func runDirectly<Outcome>(as type: Outcome.Type) -> Outcome?
}

extension DirectTask {
  /// Tells the compiler what the caller knows: that `action` returns an `Outcome`, by another name of the type.
  @inlinable
  func run<Returned, Outcome>(_ action: @escaping @Sendable () -> Returned, as type: Outcome.Type) -> Outcome? {
    guard Returned.self == Outcome.self else { return nil }
    return unsafeBitCast(action, to: (@Sendable () -> Outcome).self)()
  }
}
