extension Sequence where Element: ThrowableTaskType {
  /// Runs all tasks, blocks until they are done and returns their values in the order of the sequence.
  ///
  /// At most `concurrency` actions are in flight at once, and exactly that many while there is enough work, also when they
  /// block. The calling thread takes part; more threads come only as actions turn out to be slow. A callback-style action in
  /// flight holds no thread. An action whose task names a queue runs there.
  ///
  /// After the first failure no more actions start; those in flight are cancelled and waited for. If a task that this await is a
  /// part of is cancelled, the await ends at once, unless its thread runs one of the actions, which it then waits for.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Returns: One value for each task; `[]` for none.
  /// - Throws: The error of the task that failed first; `CancellableTaskError.taskWasCancelled` if the await was cancelled.
  /// - Complexity: O(*n*) in the number of tasks.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> [Element.ResultType] {
    try all(limit: concurrency, timeout: nil, at: CallSite(file, line))
  }

  /// Runs all tasks, blocks until they are done, but no longer than `timeout`, and returns their values in the order of the
  /// sequence.
  ///
  /// The same as `awaitAll` in all else, except that the calling thread only waits, since it must be free to return.
  ///
  /// `timeout` is for all of it together; with zero or less nothing starts, and a century or more means for ever. When the time is
  /// up, no more tasks start, what runs is cancelled, and the await returns without waiting for that.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: ``TaskigError/timedOut`` if not all are done in time, and all that `awaitAll` throws.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitAll(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> [Element.ResultType] {
    try all(limit: concurrency, timeout: timeout, at: CallSite(file, line))
  }

  @inlinable
  func all(limit: Int, timeout: Duration?, at site: CallSite) throws -> [Element.ResultType] {
    try Collective<ThrowingWork<Element>>(self).gather(limit: limit, timeout: timeout, at: site) { $0.isFailure }
      .values()
  }

  /// Runs all tasks, blocks until they are done and returns what each ended with, in the order of the sequence.
  ///
  /// Like `awaitAll`, except that a failure stops nothing. If the await is cancelled, each task that is not done by then has the
  /// result `CancellableTaskError.taskWasCancelled`.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Returns: One result for each task; `[]` for none.
  /// - Complexity: O(*n*) in the number of tasks.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitAllResults(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [TaskResult<Element.ResultType>] {
    allResults(limit: concurrency, timeout: nil, at: CallSite(file, line))
  }

  /// Runs all tasks, blocks until they are done, but no longer than `timeout`, and returns what each ended with, in the order of
  /// the sequence; ``TaskigError/timedOut`` for each that is not done by then.
  ///
  /// The same as `awaitAllResults` in all else, except that the calling thread only waits, since it must be free to return.
  ///
  /// `timeout` is for all of it together; with zero or less nothing starts, and a century or more means for ever. When the time is
  /// up, no more tasks start, what runs is cancelled, and the await returns without waiting for that.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitAllResults(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [TaskResult<Element.ResultType>] {
    allResults(limit: concurrency, timeout: timeout, at: CallSite(file, line))
  }

  @inlinable
  func allResults(limit: Int, timeout: Duration?, at site: CallSite) -> [TaskResult<Element.ResultType>] {
    Collective<ThrowingWork<Element>>(self)
      .gather(limit: limit, timeout: timeout, at: site, keepingWhatIsThere: true).results()
  }

  /// Runs the tasks, blocks until the first is done and returns its value.
  ///
  /// The others are cancelled and not waited for: their actions can see it (`Task.isCancelled`), and their outcomes are thrown
  /// away; of those that have not started by then, none does. The calling thread only waits.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: The error of the first task that is done, if it failed; ``TaskigError/emptySequence`` for an empty sequence;
  ///   `CancellableTaskError.taskWasCancelled` if the await was cancelled.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitFirst(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Element.ResultType {
    try firstResult(limit: concurrency, timeout: nil, at: CallSite(file, line)).get()
  }

  /// Runs the tasks, blocks until the first is done, but no longer than `timeout`, and returns its value.
  ///
  /// The same as `awaitFirst` in all else.
  ///
  /// `timeout` is for all of it together; with zero or less nothing starts, and a century or more means for ever. When the time is
  /// up, no more tasks start, what runs is cancelled, and the await returns without waiting for that.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: ``TaskigError/timedOut`` if none is done in time, and all that `awaitFirst` throws.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitFirst(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Element.ResultType {
    try firstResult(limit: concurrency, timeout: timeout, at: CallSite(file, line)).get()
  }

  /// Runs the tasks, blocks until the first is done and returns what it ended with, as `awaitFirst` would throw it.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitFirstResult(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> TaskResult<Element.ResultType> {
    firstResult(limit: concurrency, timeout: nil, at: CallSite(file, line))
  }

  @inlinable
  func firstResult(limit: Int, timeout: Duration?, at site: CallSite) -> TaskResult<Element.ResultType> {
    Collective<ThrowingWork<Element>>(self)
      .gather(limit: limit, timeout: timeout, at: site, leaving: true) { _ in true }.first()
  }

  /// Runs the tasks, blocks until the first has succeeded and returns its value.
  ///
  /// Failures on the way are passed over. The others are cancelled then and not waited for; of those that have not started, none
  /// does. The calling thread only waits.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: An ``AggregateError`` with each error under its task's index if all fail; ``TaskigError/emptySequence`` for an empty
  ///   sequence; `CancellableTaskError.taskWasCancelled` if the await was cancelled.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitFirstSuccess(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Element.ResultType {
    try firstSuccess(limit: concurrency, timeout: nil, at: CallSite(file, line)).get()
  }

  /// Runs the tasks, blocks until the first has succeeded, but no longer than `timeout`, and returns its value.
  ///
  /// The same as `awaitFirstSuccess` in all else.
  ///
  /// `timeout` is for all of it together; with zero or less nothing starts, and a century or more means for ever. When the time is
  /// up, no more tasks start, what runs is cancelled, and the await returns without waiting for that.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: ``TaskigError/timedOut`` if none succeeds in time, and all that `awaitFirstSuccess` throws.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitFirstSuccess(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Element.ResultType {
    try firstSuccess(limit: concurrency, timeout: timeout, at: CallSite(file, line)).get()
  }

  @inlinable
  func firstSuccess(limit: Int, timeout: Duration?, at site: CallSite) -> TaskResult<Element.ResultType> {
    Collective<ThrowingWork<Element>>(self)
      .gather(limit: limit, timeout: timeout, at: site, leaving: true) { !$0.isFailure }.firstSuccess()
  }
}
