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
    Retrial(of: link, attempts: attempts, on: queue, at: CallSite(file, line)) { error, failures in
      condition(error) ? backoff.pause(afterFailures: failures) : nil
    }.task(from: .of(self) ?? .type(Self.self))
  }

  /// The task, run again when it fails, until it succeeds or has been run `attempts` times, with a pause that depends on the error.
  ///
  /// Before each new attempt `pause` is asked, on `queue`, with the error and how often the task has failed by then, one or more. It
  /// says how long to wait, which holds no thread, or `nil` if the error is not worth another attempt. So it can heed what a server
  /// asks for, and else say what ``Backoff/pause(afterFailures:)`` does.
  ///
  /// The same as the other `retry` in all else.
  ///
  /// - Returns: A task that results in the first success, or in the error of the last attempt.
  public func retry(
    on queue: DispatchQueue = .taskDefault, attempts: Int,
    file: StaticString = #fileID, line: UInt = #line,
    pausing pause: @escaping @Sendable (_ error: any Error, _ failures: Int) -> Duration?
  ) -> ThrowableTask<ResultType> {
    Retrial(of: link, attempts: attempts, on: queue, at: CallSite(file, line), pause)
      .task(from: .of(self) ?? .type(Self.self))
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

  /// The task itself: a shared task runs once, and trying again would give the same outcome.
  @available(*, deprecated, message: "A shared task runs once. Call retry on the task that it was started from.")
  public func retry(
    on queue: DispatchQueue = .taskDefault, attempts: Int,
    file: StaticString = #fileID, line: UInt = #line,
    pausing pause: @escaping @Sendable (_ error: any Error, _ failures: Int) -> Duration?
  ) -> SharedTask {
    self
  }
}

/// What a task that is tried again needs to know from one attempt to the next.
private struct Retrial {
  private let link: Chain.Link
  private let attempts: Int
  private let queue: DispatchQueue
  /// How long to wait after an error; `nil` if that is the end.
  private let pause: (any Error, Int) -> Duration?

  init(
    of link: Chain.Link, attempts: Int, on queue: DispatchQueue, at site: CallSite,
    _ pause: @escaping (any Error, Int) -> Duration?
  ) {
    if attempts < 1 {
      trap(
        "The task is to be attempted \(attempts) times.",
        consequence: "It would never run, and have no result.",
        remedy: "Pass 1 for a single attempt, or more to retry.",
        at: site)
    }
    (self.link, self.attempts, self.queue, self.pause) = (link, attempts, queue, pause)
  }

  func task<R>(from origin: TaskOrigin) -> ThrowableTask<R> {
    ThrowableTask(chain(after: .of(link), failures: 1), from: origin)
  }

  /// The attempt that `attempt` is, followed by another if it fails, and by then so many have.
  private func chain(after attempt: Chain, failures: Int) -> Chain {
    let step = ChainStep(occasion: .failure, queue: queue) { result in
      guard failures < attempts, let error = result.error, let pause = pause(error, failures) else {
        return .result(result)
      }
      let again = ChainStep(occasion: .success, queue: .taskDefault) { _ in .chain(.of(link)) }
      let next = pause > .zero ? Chain(again, after: (.pause(for: pause), nil)) : .of(link)
      return .chain(chain(after: next, failures: failures + 1))
    }
    return Chain(step, after: (attempt, nil))
  }
}
