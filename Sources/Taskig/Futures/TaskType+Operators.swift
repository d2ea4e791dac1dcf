import Dispatch

/// What can follow a task that cannot fail.
///
/// Each operator gives a task that runs the source first, and is as cold as that: making it runs nothing.
///
/// The closures may block, in awaits or otherwise. They run on the queue that they are given, or else wherever is cheapest: on the
/// thread that runs the source, if that is done when its action returns, or on one of Taskig's own, but never on the thread on
/// which a completion is called, which may have other things to do.
///
/// A chain may be as long as memory allows: it needs no more stack than one task, to run and to be let go of. For closures that throw, make the
/// task a throwing one first (``throwableTask``).
extension TaskType {
  /// The task followed by `transform`, which makes its result into another one.
  public func map<U>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (ResultType) -> U
  ) -> Task<U> {
    followed(by: .map(on: queue, transform))
  }

  /// The task followed by the one that `transform` makes of its result.
  public func flatMap<Next: TaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (ResultType) -> Next
  ) -> Task<Next.ResultType> {
    followed(by: .flatMap(on: queue) { transform($0).link })
  }

  /// The task followed by the throwing one that `transform` makes of its result.
  ///
  /// An error that `transform` throws is the error of the result.
  public func flatMap<Next: ThrowableTaskType>(
    on queue: DispatchQueue = .taskDefault, _ transform: @escaping @Sendable (ResultType) throws -> Next
  ) -> ThrowableTask<Next.ResultType> {
    throwableTask.flatMap(on: queue, transform)
  }

  /// The task followed by `body`, to which its result is shown; that stays the same.
  public func inspect(
    on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable (ResultType) -> Void
  ) -> Task<ResultType> {
    followed(by: .inspect(on: queue, body))
  }

  /// The task followed by `body`, which runs once it has ended; the result stays the same.
  public func always(
    on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable () -> Void
  ) -> Task<ResultType> {
    followed(by: .always(on: queue, body))
  }

  /// The task followed by a pause of `duration`, which holds no thread; zero or less is none, a century or more for ever.
  public func delay(for duration: Duration) -> Task<ResultType> {
    followed(by: .pause(for: duration))
  }

  /// The task with no more time than `duration`: if it has not ended by then, its run is cancelled, and the result is `nil`.
  ///
  /// That is when the result ends; what the action still does is ignored. Zero or less means that there is no time, and the task
  /// does not run; a century or more means for ever.
  public func timeout(_ duration: Duration) -> Task<ResultType?> {
    let late = ResultType?.none
    let chain = Chain.limit(PlainWork(task: self), to: duration, orElse: .success(late as Any)) {
      .success($0 as ResultType? as Any)
    }
    return Task(chain, from: .of(self) ?? .type(Self.self))
  }

  func followed<U>(by step: ChainStep) -> Task<U> {
    Task(Chain(step, after: link), from: .of(self) ?? .type(Self.self))
  }
}
