extension ThrowableTask {
  /// Makes a task whose action gets, beside its completion, what claims the run.
  ///
  /// If that returns `true`, nothing calls the run off any more, and no timeout ends it: who waits gets the outcome, which the
  /// action must hand over at once. If not, the run has been called off, and what was meant for it is still there for others.
  /// A completion alone does not say: it takes an outcome that comes in the same moment as the end of the wait, and it is lost.
  ///
  /// It takes a lock for a moment, and calls nobody, so it may be called under another.
  init(
    at site: CallSite,
    claiming action:
      @escaping @Sendable (
        _ claim: @escaping @Sendable () -> Bool, _ completion: @escaping @Sendable (TaskResult<T>) -> Void
      ) -> Void
  ) {
    let cancellation = Cancellation()
    self.init(
      executionQueue: .taskDefault, origin: .place(site),
      body: .completing { completion in
        // An action that is called by itself is a part of some other run, which goes on.
        let scope = ThreadContext.current.withTop { $0.flatMap { Frame.scope(of: $0, ifRunOf: cancellation) } }
        action({ scope?.close() ?? true }, completion)
      }, cancellation: cancellation)
  }
}
