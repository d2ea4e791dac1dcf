import Dispatch

extension ThrowableTaskType {
  /// The task, run again when it fails, until it succeeds or has been run `attempts` times.
  ///
  /// ```swift
  /// let page = try fetch(url).retry(attempts: 5, backoff: .exponential(from: .milliseconds(200))).await()
  /// ```
  ///
  /// Between two attempts there is the pause that `backoff` says, which holds no thread. `condition` decides, on `queue`, whether an
  /// error is worth another attempt: all are unless you say otherwise. A cancelled task is not tried again, and cancelling the
  /// result ends a pause at once.
  ///
  /// `attempts` counts the first one, so it is 1 or more; zero and less trap.
  ///
  /// - Returns: A task that results in the first success, or in the error of the last attempt.
  public func retry(
    on queue: DispatchQueue = .taskDefault, attempts: Int, backoff: Backoff = .none,
    file: StaticString = #fileID, line: UInt = #line,
    if condition: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) -> ThrowableTask<ResultType> {
    if attempts < 1 {
      trap(
        "The task is to be attempted \(attempts) times.",
        consequence: "It would never run, and have no result.",
        remedy: "Pass 1 for a single attempt, or more to retry.",
        at: CallSite(file, line))
    }
    let retrial = Retrial(link: link, attempts: attempts, backoff: backoff, queue: queue, condition: condition)
    return ThrowableTask(retrial.chain(after: .of(link), failures: 1), from: .of(self) ?? .type(Self.self))
  }
}

extension SharedTask {
  /// The task itself: a shared task runs once, and trying again would give the same outcome.
  @available(*, deprecated, message: "A shared task runs once. Call retry on the task that it was started from.")
  public func retry(
    on queue: DispatchQueue = .taskDefault, attempts: Int, backoff: Backoff = .none,
    file: StaticString = #fileID, line: UInt = #line,
    if condition: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) -> SharedTask {
    self
  }
}

/// What a task that is tried again needs to know from one attempt to the next.
private struct Retrial {
  let link: Chain.Link
  let attempts: Int
  let backoff: Backoff
  let queue: DispatchQueue
  let condition: (any Error) -> Bool

  /// The attempt that `attempt` is, followed by another if it fails, and by then so many have.
  func chain(after attempt: Chain, failures: Int) -> Chain {
    let step = ChainStep(occasion: .failure, queue: queue) { result in
      guard failures < attempts, let error = result.error, condition(error) else { return .result(result) }
      let pause = backoff.pause(afterFailures: failures)
      let again = ChainStep(occasion: .success, queue: .taskDefault) { _ in .chain(.of(link)) }
      let next = pause > .zero ? Chain(again, after: (.pause(for: pause), nil)) : .of(link)
      return .chain(chain(after: next, failures: failures + 1))
    }
    return Chain(step, after: (attempt, nil))
  }
}
