import Dispatch

/// What can follow a task that may fail.
///
/// Each operator gives a task that runs the source first, and is as cold as that: making it runs nothing. Of a ``SharedTask`` it
/// gives a shared task, see there.
///
/// The closures may block, in awaits or otherwise. They run on the queue that they are given, or else wherever is cheapest: on the
/// thread that runs the source, if that is done when its action returns, or on one of Taskig's own, but never on the thread on
/// which a completion is called, which may have other things to do.
///
/// Cancelling the result cancels the run of the source, and no closure starts any more, except those of ``always(on:_:)``,
/// ``mapResult(on:_:)`` and `flatMapResult`. A cancelled source gives a cancelled result: that passes by all closures but
/// those.
///
/// A chain may be as long as memory allows: it needs no more stack than one task, to run and to be let go of.
extension ThrowableTaskType {
  /// The task followed by `transform`, which makes its value into another one.
  ///
  /// An error that `transform` throws is the error of the result.
  public func map<U>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (ResultType) throws -> U
  ) -> ThrowableTask<U> {
    followed(by: .map(on: queue, transform))
  }

  /// The task followed by the one that `transform` makes of its value.
  ///
  /// An error that `transform` throws is the error of the result.
  public func flatMap<Next: ThrowableTaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (ResultType) throws -> Next
  ) -> ThrowableTask<Next.ResultType> {
    followed(by: .flatMap(on: queue) { try transform($0).link })
  }

  /// The task followed by the plain one that `transform` makes of its value.
  ///
  /// An error that `transform` throws is the error of the result.
  public func flatMap<Next: TaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (ResultType) throws -> Next
  ) -> ThrowableTask<Next.ResultType> {
    followed(by: .flatMap(on: queue) { try transform($0).link })
  }

  /// The task with its error made into another one by `transform`, if it fails.
  ///
  /// A cancelled task stays one.
  public func mapError(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (any Error) -> any Error
  ) -> ThrowableTask<ResultType> {
    followed(by: .mapError(on: queue, transform))
  }

  /// The task with its error made into a value by `transform`, if it fails.
  ///
  /// An error that `transform` throws is the error of the result. A cancelled task stays one.
  public func recover(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (any Error) throws -> ResultType
  ) -> ThrowableTask<ResultType> {
    followed(by: .recover(on: queue, transform))
  }

  /// The task followed, if it fails, by the one that `transform` makes of its error.
  ///
  /// An error that `transform` throws is the error of the result. A cancelled task stays one.
  public func recover<Next: ThrowableTaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (any Error) throws -> Next
  ) -> ThrowableTask<ResultType> where Next.ResultType == ResultType {
    followed(by: .recover(on: queue, with: { try transform($0).link }))
  }

  /// The task followed, if it fails, by the plain one that `transform` makes of its error.
  ///
  /// An error that `transform` throws is the error of the result. A cancelled task stays one.
  public func recover<Next: TaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (any Error) throws -> Next
  ) -> ThrowableTask<ResultType> where Next.ResultType == ResultType {
    followed(by: .recover(on: queue, with: { try transform($0).link }))
  }

  /// The task followed by `transform`, which makes whatever it ended with into a value: success, failure and cancellation alike.
  ///
  /// It runs also if the result has been cancelled. An error that `transform` throws is the error of the result.
  public func mapResult<U>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (TaskResult<ResultType>) throws -> U
  ) -> ThrowableTask<U> {
    followed(by: .mapResult(on: queue, transform))
  }

  /// The task followed by the one that `transform` makes of whatever it ended with: success, failure and cancellation alike.
  ///
  /// `transform` runs also if the result has been cancelled; the task that it makes does not. An error that it throws is the error
  /// of the result.
  public func flatMapResult<Next: ThrowableTaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (TaskResult<ResultType>) throws -> Next
  ) -> ThrowableTask<Next.ResultType> {
    followed(by: .flatMapResult(on: queue) { try transform($0).link })
  }

  /// The task followed by the plain one that `transform` makes of whatever it ended with: success, failure and cancellation alike.
  ///
  /// `transform` runs also if the result has been cancelled; the task that it makes does not. An error that it throws is the error
  /// of the result.
  public func flatMapResult<Next: TaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (TaskResult<ResultType>) throws -> Next
  ) -> ThrowableTask<Next.ResultType> {
    followed(by: .flatMapResult(on: queue) { try transform($0).link })
  }

  /// The task followed by `body`, to which its value is shown; that stays the same.
  ///
  /// An error that `body` throws is the error of the result.
  public func inspect(
    on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable (ResultType) throws -> Void
  ) -> ThrowableTask<ResultType> {
    followed(by: .inspect(on: queue, body))
  }

  /// The task followed by `body`, which runs once it has ended: with success, failure or cancellation, which stays the outcome.
  ///
  /// It runs also if the result has been cancelled, except before its run begins. A task that is cancelled has ended when it is told:
  /// its action may still be busy when `body` runs, as it may be when an await of it returns.
  public func always(
    on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable () -> Void
  ) -> ThrowableTask<ResultType> {
    followed(by: .always(on: queue, body))
  }

  /// The task followed, if it succeeds, by a pause of `duration`, which holds no thread; zero or less is none, a century or more
  /// for ever.
  ///
  /// A failure is not held up. Cancelling the result ends the pause at once.
  public func delay(for duration: Duration) -> ThrowableTask<ResultType> {
    followed(by: .pause(for: duration))
  }

  /// The task with no more time than `duration`: if it has not ended by then, its run is cancelled, and the result fails with
  /// ``TaskigError/timedOut``.
  ///
  /// That is when the result ends; what the action still does is ignored. Zero or less means that there is no time, and the task
  /// does not run; a century or more means for ever.
  public func timeout(_ duration: Duration) -> ThrowableTask<ResultType> {
    let chain = Chain.limit(
      ThrowingWork(task: self), to: duration, orElse: .failure(TaskigError.timedOut)
    ) { $0.map { $0 } }
    return ThrowableTask(chain, from: .of(self) ?? .type(Self.self))
  }

  func followed<U>(by step: ChainStep) -> ThrowableTask<U> {
    ThrowableTask(Chain(step, after: link), from: .of(self) ?? .type(Self.self))
  }
}
