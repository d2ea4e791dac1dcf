/// The results of tasks, for `async` code, in the order in which they are done: what `asCompleted` gives.
///
/// Each iteration runs the tasks anew. They are begun as the loop asks for their results. When it ends early, by `break` or
/// with an error, no more are begun, and those that run are cancelled and not waited for.
public struct TasksAsCompleted<Element, Failure: Error>: AsyncSequence {
  let makeArrivals: () -> Arrivals<Result<Element, Failure>>

  /// One run of all the tasks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let arrivals: Arrivals<Result<Element, Failure>>

    /// Suspends until the next task is done, and returns its value; `nil` if all have been.
    ///
    /// - Throws: The task's error; after that there is nothing more.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Element? {
      guard let result = await arrivals.next() else { return nil }
      if case .failure = result { arrivals.stop() }
      return try result.get()
    }

    /// The same from wherever it is called.
    public mutating func next() async throws(Failure) -> Element? { try await next(isolation: nil) }
  }

  /// Begins a run of the tasks: none starts before the first result is asked for.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(arrivals: makeArrivals()) }
}

extension Sequence where Element: TaskType {
  /// Runs the tasks and gives each result as soon as it is there: an asynchronous sequence, for a loop in `async` code.
  ///
  /// ```swift
  /// for await square in (1...3).map({ n in Task { n * n } }).asCompleted() { print("square", square) }
  /// ```
  ///
  /// At most `concurrency` tasks are in flight at once, 50 unless you say otherwise; `Int.max` for no limit; zero and less trap. A
  /// result that the loop has not asked for yet counts as in flight, so a slow loop slows the tasks down. The actions run on
  /// their queues, or on threads of Taskig's own, where they may block.
  ///
  /// Cancelling the Swift task that runs the loop can be seen by the actions (`Task.isCancelled`), but does not end the loop,
  /// since a plain task has no error to end with.
  public func asCompleted(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> TasksAsCompleted<Element.ResultType, Never> {
    asCompleted(as: PlainWork<Element>.self, limit: concurrency, at: CallSite(file, line)) { _, value in .success(value)
    }
  }
}

extension Sequence where Element: ThrowableTaskType {
  /// Runs the tasks and gives each value as soon as it is there: an asynchronous sequence, for a loop in `async` code.
  ///
  /// ```swift
  /// for try await page in pages.asCompleted(concurrency: 4) { print(page) }
  /// ```
  ///
  /// The first failure ends the loop: it is thrown, no more tasks are begun, and those in flight are cancelled and not waited for.
  /// Cancelling the Swift task that runs the loop cancels the tasks in flight, so it ends with
  /// `CancellableTaskError.taskWasCancelled`. The rest is as for plain tasks.
  public func asCompleted(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> TasksAsCompleted<Element.ResultType, any Error> {
    asCompleted(as: ThrowingWork<Element>.self, limit: concurrency, at: CallSite(file, line)) { _, result in result }
  }

  /// Runs the tasks and gives what each ended with as soon as it is done, beside its place in the sequence: for a loop in `async`
  /// code that goes on after failures.
  ///
  /// ```swift
  /// for await (index, result) in downloads.resultsAsCompleted() {
  ///   if case .failure = result { print(index, "failed") }
  /// }
  /// ```
  ///
  /// Cancelling the Swift task that runs the loop cancels all the tasks, and each result is that. The rest is as in
  /// `asCompleted(concurrency:)`.
  public func resultsAsCompleted(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> TasksAsCompleted<(index: Int, result: TaskResult<Element.ResultType>), Never> {
    asCompleted(as: ThrowingWork<Element>.self, limit: concurrency, at: CallSite(file, line)) { index, result in
      .success((index, result))
    }
  }
}

extension Sequence {
  private func asCompleted<W: TaskWork, Value, Failure>(
    as type: W.Type, limit: Int, at site: CallSite, _ result: @escaping (Int, W.Outcome) -> Result<Value, Failure>
  ) -> TasksAsCompleted<Value, Failure> where W.Subject == Element {
    requireLimit(limit, at: site)
    let tasks = Array(self)
    return TasksAsCompleted {
      Arrivals(count: tasks.count, limit: limit) { index, scope, take in
        let work = W(task: tasks[index])
        if let settled = work.settled { return take(result(index, settled)) }
        let waiter = ThreadContext.current.waiterForHandedOn
        work.launch(in: scope, heeding: W.cancelled != nil, for: waiter, at: site) { ending in
          // Heeding a scope that never times out, it has an outcome.
          take(result(index, work.resolve(ending, at: site) ?? work.lost(at: site)))
        }
      }
    }
  }
}
