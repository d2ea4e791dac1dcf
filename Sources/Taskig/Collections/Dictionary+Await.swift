extension Dictionary where Value: TaskType {
  /// Runs all tasks, blocks until they are done and returns each result under its task's key.
  ///
  /// The same as `awaitAll` on a sequence in all else.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Returns: One result for each key; `[:]` for none.
  @inlinable
  @discardableResult
  public func awaitAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [Key: Value.ResultType] {
    keyed(values.awaitAll(concurrency: concurrency, file: file, line: line))
  }

  /// Runs the tasks, blocks until the first is done and returns its result.
  ///
  /// The same as `awaitFirst` on a sequence. Traps for an empty dictionary, which has no first result.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @inlinable
  @discardableResult
  public func awaitFirst(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> Value.ResultType {
    values.awaitFirst(concurrency: concurrency, file: file, line: line)
  }
}

extension Dictionary where Value: ThrowableTaskType {
  /// Runs all tasks, blocks until they are done and returns each value under its task's key.
  ///
  /// The same as `awaitAll` on a sequence in all else.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Returns: One value for each key; `[:]` for none.
  /// - Throws: The error of the task that failed first.
  @inlinable
  @discardableResult
  public func awaitAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> [Key: Value.ResultType] {
    keyed(try values.awaitAll(concurrency: concurrency, file: file, line: line))
  }

  /// Runs all tasks, blocks until they are done and returns what each ended with under its task's key.
  ///
  /// Like `awaitAll`, except that a failure stops nothing.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Returns: One result for each key; `[:]` for none.
  @inlinable
  @discardableResult
  public func awaitAllResults(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [Key: TaskResult<Value.ResultType>] {
    keyed(values.awaitAllResults(concurrency: concurrency, file: file, line: line))
  }

  /// Runs the tasks, blocks until the first is done and returns its value.
  ///
  /// The same as `awaitFirst` on a sequence.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: The error of the first task that is done, if it failed; ``TaskigError/emptySequence`` for an empty dictionary.
  @inlinable
  @discardableResult
  public func awaitFirst(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Value.ResultType {
    try values.awaitFirst(concurrency: concurrency, file: file, line: line)
  }

  /// Runs the tasks, blocks until the first is done and returns what it ended with, as `awaitFirst` would throw it.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @inlinable
  @discardableResult
  public func awaitFirstResult(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> TaskResult<Value.ResultType> {
    values.awaitFirstResult(concurrency: concurrency, file: file, line: line)
  }
}

extension Dictionary {
  /// Puts `results`, which are in the order of this dictionary, under its keys.
  @usableFromInline
  func keyed<Result>(_ results: [Result]) -> [Key: Result] {
    [Key: Result](uniqueKeysWithValues: zip(keys, results))
  }
}
