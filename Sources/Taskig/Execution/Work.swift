import Dispatch

/// What the runtime runs: the one shape that plain and throwing tasks share.
@usableFromInline
protocol Work {
  associatedtype Subject
  associatedtype Outcome

  init(task: Subject)

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
  ///
  /// If `mayStart` says otherwise when the job's turn comes, the action does not run and nobody misses its outcome.
  func job(
    on lane: Lane?, for waiter: Waiter?, _ completion: Completion<Outcome>, if mayStart: @escaping () -> Bool = { true }
  ) -> Job {
    Job(on: lane, for: waiter) {
      if mayStart() { start { completion.complete($0) } } else { completion.abandon() }
    }
  }
}

/// A task whose action may be a closure that returns its outcome: then nothing has to be made to catch it.
///
/// Without this, a stock task's await would cost the allocation of a completion, which is as much as all the rest. It is a
/// protocol beside `TaskType` and no requirement of it, so that a conformer has one way to do its work and not two.
@usableFromInline
protocol DirectTask {
  /// Runs the action if it returns its outcome, which is an `Outcome`; `nil` if it wants a completion.
  func runDirectly<Outcome>(as type: Outcome.Type) -> Outcome?
}

/// The same value by another name of its type, where the caller knows what the compiler does not.
@inlinable
func sameType<Value, Other>(_ value: Value, as other: Other.Type) -> Other {
  precondition(Value.self == Other.self)
  return unsafeBitCast(value, to: other)
}
