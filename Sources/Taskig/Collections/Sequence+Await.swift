/// How many tasks of a collection are in flight at once unless you say otherwise.
@usableFromInline let defaultConcurrency = 50

extension Sequence where Element: TaskType {
  /// Runs all tasks, blocks until they are done and returns their results in the order of the sequence.
  ///
  /// At most `concurrency` actions are in flight at once, and exactly that many while there is enough work, also when they
  /// block. The calling thread takes part; more threads come only as actions turn out to be slow. A callback-style action in
  /// flight holds no thread. An action whose task names a queue runs there.
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
  public func awaitAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [Element.ResultType] {
    Collective<PlainWork<Element>>(self).gather(limit: concurrency, at: CallSite(file, line)).outcomes.all
  }

  /// Runs all tasks, blocks until they are done, but no longer than `timeout`, and returns their results in the order of the
  /// sequence; `nil` if they are not all done by then.
  ///
  /// The same as `awaitAll` in all else, except that the calling thread only waits, since it must be free to return.
  ///
  /// `timeout` is for all of it together; with zero or less nothing starts, and a century or more means for ever. When the time is
  /// up, no more tasks start, what runs is cancelled, and the await returns without waiting for that.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  public func awaitAll(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [Element.ResultType]? {
    let site = CallSite(file, line)
    let end = Collective<PlainWork<Element>>(self).gather(limit: concurrency, timeout: timeout, at: site)
    return end.interruption == nil ? end.outcomes.all : nil
  }

  /// Runs the tasks, blocks until the first is done and returns its result.
  ///
  /// The others are cancelled and not waited for: their actions can see it (`Task.isCancelled`), and their results are thrown
  /// away; of those that have not started by then, none does. The calling thread only waits. Traps for an empty sequence, which
  /// has no first result.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitFirst(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> Element.ResultType {
    let site = CallSite(file, line)
    guard let first = first(limit: concurrency, timeout: nil, at: site) else { trapOnNoFirst(at: site) }
    return first
  }

  /// Runs the tasks, blocks until the first is done, but no longer than `timeout`, and returns its result; `nil` if none is done
  /// by then.
  ///
  /// The same as `awaitFirst` in all else.
  ///
  /// `timeout` is for all of it together; with zero or less nothing starts, and a century or more means for ever. When the time is
  /// up, no more tasks start, what runs is cancelled, and the await returns without waiting for that.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  public func awaitFirst(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> Element.ResultType? {
    first(limit: concurrency, timeout: timeout, at: CallSite(file, line))
  }

  @inlinable
  func first(limit: Int, timeout: Duration?, at site: CallSite) -> Element.ResultType? {
    let all = Collective<PlainWork<Element>>(self)
    requireFirst(all.tasks.isEmpty, at: site)
    let end = all.gather(limit: limit, timeout: timeout, at: site, leaving: true) { _ in true }
    return end.interruption == nil ? end.outcomes.ending : nil
  }
}

/// Stops the program if there is no first result to wait for.
@usableFromInline
func requireFirst(_ isEmpty: Bool, at site: CallSite) {
  if isEmpty { trapOnNoFirst(at: site) }
}

@usableFromInline
func trapOnNoFirst(at site: CallSite) -> Never {
  trap(
    "awaitFirst() was called on no tasks.",
    consequence: "It would wait for ever, and plain tasks have no error to end with.",
    remedy: "Check isEmpty first, or use throwableTasks.awaitFirst(), which throws TaskigError.emptySequence.",
    at: site)
}
