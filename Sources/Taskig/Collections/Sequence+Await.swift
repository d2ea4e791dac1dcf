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
  @inlinable
  @discardableResult
  public func awaitAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [Element.ResultType] {
    Collective<PlainWork<Element>>(self).awaitOutcomes(limit: concurrency, at: CallSite(file, line)).all
  }

  /// Runs the tasks, blocks until the first is done and returns its result.
  ///
  /// The others go on, their results are thrown away; of those that have not started by then, none does. The calling thread
  /// only waits. Traps for an empty sequence, which has no first result.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @inlinable
  @discardableResult
  public func awaitFirst(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> Element.ResultType {
    let all = Collective<PlainWork<Element>>(self)
    let site = CallSite(file, line)
    requireFirst(all.tasks.isEmpty, at: site)
    return all.awaitFirstOutcome(limit: concurrency, at: site)
  }
}

/// Stops the program if there is no first result to wait for.
@usableFromInline
func requireFirst(_ isEmpty: Bool, at site: CallSite) {
  guard isEmpty else { return }
  trap(
    "awaitFirst() was called on no tasks.",
    consequence: "It would wait for ever, and plain tasks have no error to end with.",
    remedy: "Check isEmpty first, or use throwableTasks.awaitFirst(), which throws TaskigError.emptySequence.",
    at: site)
}

extension Sequence where Element: ThrowableTaskType {
  /// Runs all tasks, blocks until they are done and returns their values in the order of the sequence.
  ///
  /// At most `concurrency` actions are in flight at once, and exactly that many while there is enough work, also when they
  /// block. The calling thread takes part; more threads come only as actions turn out to be slow. A callback-style action in
  /// flight holds no thread. An action whose task names a queue runs there.
  ///
  /// After the first failure no more actions start; those in flight are waited for.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Returns: One value for each task; `[]` for none.
  /// - Throws: The error of the task that failed first.
  /// - Complexity: O(*n*) in the number of tasks.
  @inlinable
  @discardableResult
  public func awaitAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> [Element.ResultType] {
    let outcomes = Collective<ThrowingWork<Element>>(self).awaitOutcomes(limit: concurrency, at: CallSite(file, line)) {
      $0.isFailure
    }
    if case .failure(let error)? = outcomes.ending { throw error }
    return try outcomes.all.map { try $0.get() }
  }

  /// Runs all tasks, blocks until they are done and returns what each ended with, in the order of the sequence.
  ///
  /// Like `awaitAll`, except that a failure stops nothing.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Returns: One result for each task; `[]` for none.
  /// - Complexity: O(*n*) in the number of tasks.
  @inlinable
  @discardableResult
  public func awaitAllResults(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [TaskResult<Element.ResultType>] {
    Collective<ThrowingWork<Element>>(self).awaitOutcomes(limit: concurrency, at: CallSite(file, line)).all
  }

  /// Runs the tasks, blocks until the first is done and returns its value.
  ///
  /// The others go on, their outcomes are thrown away; of those that have not started by then, none does. The calling thread
  /// only waits.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: The error of the first task that is done, if it failed; ``TaskigError/emptySequence`` for an empty sequence.
  @inlinable
  @discardableResult
  public func awaitFirst(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Element.ResultType {
    try awaitFirstResult(concurrency: concurrency, file: file, line: line).get()
  }

  /// Runs the tasks, blocks until the first is done and returns what it ended with, as `awaitFirst` would throw it.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @inlinable
  @discardableResult
  public func awaitFirstResult(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> TaskResult<Element.ResultType> {
    let all = Collective<ThrowingWork<Element>>(self)
    guard !all.tasks.isEmpty else { return .failure(TaskigError.emptySequence) }
    return all.awaitFirstOutcome(limit: concurrency, at: CallSite(file, line))
  }
}

extension Result {
  /// Whether this is a failure.
  @usableFromInline var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
