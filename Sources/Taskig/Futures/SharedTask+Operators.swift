import Dispatch

/// What can follow a shared task.
///
/// Each operator gives a shared task, which goes on as soon as this one is done, whether or not anybody awaits it. Where that cannot
/// be, since the value is not `Sendable`, or a cold task is zipped with it, the result is a cold `ThrowableTask`.
///
/// The closures may block, in awaits or otherwise. They run on the queue that they are given, or else on a thread of Taskig's own,
/// never within the call that completes this task.
///
/// Cancelling the result cancels this task, for all others too. Where that is too much, await it in a task of its own:
/// `ThrowableTask { try shared.await() }`. A cancelled task gives a cancelled result, which passes by all closures but those of
/// ``always(on:_:)-(_,()->Void)``, ``mapResult(on:_:)-(_,(TaskResult<T>)->U)`` and `flatMapResult`.
extension SharedTask {
  /// A shared task that goes on with `transform`, which makes the value into another one.
  ///
  /// An error that `transform` throws is the error of the result.
  @discardableResult
  public func map<U: Sendable>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (T) throws -> U
  ) -> SharedTask<U> {
    followed(by: .map(on: queue, transform))
  }

  /// A shared task that goes on with the task that `transform` makes of the value.
  ///
  /// An error that `transform` throws is the error of the result.
  @discardableResult
  public func flatMap<Next: ThrowableTaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (T) throws -> Next
  ) -> SharedTask<Next.ResultType> where Next.ResultType: Sendable {
    followed(by: .flatMap(on: queue) { try transform($0).link })
  }

  /// A shared task that goes on with the plain task that `transform` makes of the value.
  ///
  /// An error that `transform` throws is the error of the result.
  @discardableResult
  public func flatMap<Next: TaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (T) throws -> Next
  ) -> SharedTask<Next.ResultType> where Next.ResultType: Sendable {
    followed(by: .flatMap(on: queue) { try transform($0).link })
  }

  /// A shared task with the error made into another one by `transform`, if this one fails.
  ///
  /// A cancelled task stays one.
  @discardableResult
  public func mapError(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (any Error) -> any Error
  ) -> SharedTask {
    followed(by: .mapError(on: queue, transform))
  }

  /// A shared task with the error made into a value by `transform`, if this one fails.
  ///
  /// An error that `transform` throws is the error of the result. A cancelled task stays one.
  @discardableResult
  public func recover(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (any Error) throws -> T
  ) -> SharedTask {
    followed(by: .recover(on: queue, transform))
  }

  /// A shared task that goes on, if this one fails, with the task that `transform` makes of the error.
  ///
  /// An error that `transform` throws is the error of the result. A cancelled task stays one.
  @discardableResult
  public func recover<Next: ThrowableTaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (any Error) throws -> Next
  ) -> SharedTask where Next.ResultType == T {
    followed(by: .recover(on: queue, with: { try transform($0).link }))
  }

  /// A shared task that goes on, if this one fails, with the plain task that `transform` makes of the error.
  ///
  /// An error that `transform` throws is the error of the result. A cancelled task stays one.
  @discardableResult
  public func recover<Next: TaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (any Error) throws -> Next
  ) -> SharedTask where Next.ResultType == T {
    followed(by: .recover(on: queue, with: { try transform($0).link }))
  }

  /// A shared task that goes on with `transform`, which makes whatever this one ended with into a value: success, failure and
  /// cancellation alike.
  ///
  /// An error that `transform` throws is the error of the result.
  @discardableResult
  public func mapResult<U: Sendable>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (TaskResult<T>) throws -> U
  ) -> SharedTask<U> {
    followed(by: .mapResult(on: queue, transform))
  }

  /// A shared task that goes on with the task that `transform` makes of whatever this one ended with: success, failure and
  /// cancellation alike.
  ///
  /// An error that `transform` throws is the error of the result.
  @discardableResult
  public func flatMapResult<Next: ThrowableTaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (TaskResult<T>) throws -> Next
  ) -> SharedTask<Next.ResultType> where Next.ResultType: Sendable {
    followed(by: .flatMapResult(on: queue) { try transform($0).link })
  }

  /// A shared task that goes on with the plain task that `transform` makes of whatever this one ended with: success, failure and
  /// cancellation alike.
  ///
  /// An error that `transform` throws is the error of the result.
  @discardableResult
  public func flatMapResult<Next: TaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (TaskResult<T>) throws -> Next
  ) -> SharedTask<Next.ResultType> where Next.ResultType: Sendable {
    followed(by: .flatMapResult(on: queue) { try transform($0).link })
  }

  /// A shared task that goes on with `body`, to which it shows the value, which stays the same.
  ///
  /// An error that `body` throws is the error of the result.
  @discardableResult
  public func inspect(
    on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable (T) throws -> Void
  ) -> SharedTask {
    followed(by: .inspect(on: queue, body))
  }

  /// A shared task that goes on with `body` once this one has ended: with success, failure or cancellation, which stays the outcome.
  ///
  /// It runs also if the result has been cancelled, which does not wait for it.
  @discardableResult
  public func always(
    on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable () -> Void
  ) -> SharedTask {
    followed(by: .always(on: queue, body))
  }

  /// A shared task that has the value `duration` later, if this one succeeds; zero or less means at once, a century or more never.
  ///
  /// A failure is not held up. No thread is held meanwhile.
  @discardableResult
  public func delay(for duration: Duration) -> SharedTask {
    followed(by: .pause(for: duration))
  }

  /// A shared task that fails with ``TaskigError/timedOut`` if this one has not ended after `duration`, counted from now.
  ///
  /// This one goes on then, for all others. Zero or less means that there is no time; a century or more means for ever.
  @discardableResult
  public func timeout(_ duration: Duration) -> SharedTask {
    let chain = Chain.limit(
      ThrowingWork(task: self), to: duration, orElse: .failure(TaskigError.timedOut)
    ) { $0.map { $0 } }
    return SharedTask(chain, after: self)
  }

  func followed<U>(by step: ChainStep) -> SharedTask<U> {
    SharedTask<U>(Chain(step, after: link), after: self)
  }

  /// A shared task that runs `chain`, which begins with `source`.
  convenience init<Source>(_ chain: Chain, after source: SharedTask<Source>) {
    self.init(chain, callingOff: [source.cancellation], from: source.origin)
  }

  /// A shared task that runs `chain`, and calls off its sources when it is cancelled.
  convenience init(_ chain: Chain, callingOff sources: [Cancellation], from origin: TaskOrigin) {
    let hub = Waiter()
    self.init(from: origin, hub: hub)
    for source in sources { cancellation.listen(.scope(source)) }
    ChainRun(in: cancellation, for: hub) { self.complete($0.map(known)) }.startElsewhere(chain)
  }
}
