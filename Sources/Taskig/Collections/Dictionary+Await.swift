extension Dictionary where Value: TaskType {
  /// Runs all tasks, blocks until they are done and returns each result under its task's key.
  ///
  /// The same as `awaitAll` on a sequence in all else.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Returns: One result for each key; `[:]` for none.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [Key: Value.ResultType] {
    keyed(values.awaitAll(concurrency: concurrency, file: file, line: line))
  }

  /// Runs all tasks, blocks until they are done, but no longer than `timeout`, and returns each result under its task's key; `nil`
  /// if they are not all done by then.
  ///
  /// The same as `awaitAll(timeout:)` on a sequence in all else.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  public func awaitAll(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [Key: Value.ResultType]? {
    values.awaitAll(timeout: timeout, concurrency: concurrency, file: file, line: line).map(keyed)
  }

  /// Runs the tasks, blocks until the first is done and returns its result.
  ///
  /// The same as `awaitFirst` on a sequence. Traps for an empty dictionary, which has no first result.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitFirst(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> Value.ResultType {
    values.awaitFirst(concurrency: concurrency, file: file, line: line)
  }

  /// Runs the tasks, blocks until the first is done, but no longer than `timeout`, and returns its result; `nil` if none is done
  /// by then.
  ///
  /// The same as `awaitFirst(timeout:)` on a sequence. Traps for an empty dictionary, which has no first result.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  public func awaitFirst(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> Value.ResultType? {
    values.awaitFirst(timeout: timeout, concurrency: concurrency, file: file, line: line)
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
  /// - Throws: What `awaitAll` on a sequence throws.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> [Key: Value.ResultType] {
    keyed(try values.awaitAll(concurrency: concurrency, file: file, line: line))
  }

  /// Runs all tasks, blocks until they are done, but no longer than `timeout`, and returns each value under its task's key.
  ///
  /// The same as `awaitAll(timeout:)` on a sequence in all else.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: What `awaitAll(timeout:)` on a sequence throws.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitAll(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> [Key: Value.ResultType] {
    keyed(try values.awaitAll(timeout: timeout, concurrency: concurrency, file: file, line: line))
  }

  /// Runs all tasks, blocks until they are done and returns what each ended with under its task's key.
  ///
  /// The same as `awaitAllResults` on a sequence in all else.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Returns: One result for each key; `[:]` for none.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitAllResults(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [Key: TaskResult<Value.ResultType>] {
    keyed(values.awaitAllResults(concurrency: concurrency, file: file, line: line))
  }

  /// Runs all tasks, blocks until they are done, but no longer than `timeout`, and returns what each ended with under its task's
  /// key; ``TaskigError/timedOut`` for each that is not done by then.
  ///
  /// The same as `awaitAllResults(timeout:)` on a sequence in all else.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitAllResults(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> [Key: TaskResult<Value.ResultType>] {
    keyed(values.awaitAllResults(timeout: timeout, concurrency: concurrency, file: file, line: line))
  }

  /// Runs the tasks, blocks until the first is done and returns its value.
  ///
  /// The same as `awaitFirst` on a sequence.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: What `awaitFirst` on a sequence throws.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitFirst(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Value.ResultType {
    try values.awaitFirst(concurrency: concurrency, file: file, line: line)
  }

  /// Runs the tasks, blocks until the first is done, but no longer than `timeout`, and returns its value.
  ///
  /// The same as `awaitFirst(timeout:)` on a sequence.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: What `awaitFirst(timeout:)` on a sequence throws.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitFirst(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Value.ResultType {
    try values.awaitFirst(timeout: timeout, concurrency: concurrency, file: file, line: line)
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
  ) -> TaskResult<Value.ResultType> {
    values.awaitFirstResult(concurrency: concurrency, file: file, line: line)
  }

  /// Runs the tasks, blocks until the first has succeeded and returns its value.
  ///
  /// The same as `awaitFirstSuccess` on a sequence, except that the errors are under their tasks' keys.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: An ``AggregateError`` with each error under its task's key if all fail, and all else that `awaitFirstSuccess` on a
  ///   sequence throws.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitFirstSuccess(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Value.ResultType where Key: Sendable {
    try keyed { try $0.awaitFirstSuccess(concurrency: concurrency, file: file, line: line) }
  }

  /// Runs the tasks, blocks until the first has succeeded, but no longer than `timeout`, and returns its value.
  ///
  /// The same as `awaitFirstSuccess(timeout:)` on a sequence, except that the errors are under their tasks' keys.
  ///
  /// `concurrency` is 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  ///
  /// - Throws: An ``AggregateError`` with each error under its task's key if all fail, and all else that
  ///   `awaitFirstSuccess(timeout:)` on a sequence throws.
  @available(
    *, noasync, message: "It would block a thread of Swift's pool. Await the tasks' `value` in a task group instead."
  )
  @inlinable
  @discardableResult
  public func awaitFirstSuccess(
    timeout: Duration, concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Value.ResultType where Key: Sendable {
    try keyed { try $0.awaitFirstSuccess(timeout: timeout, concurrency: concurrency, file: file, line: line) }
  }
}

extension Dictionary {
  /// Puts `results`, which are in the order of this dictionary, under its keys.
  @usableFromInline
  func keyed<Result>(_ results: [Result]) -> [Key: Result] {
    [Key: Result](uniqueKeysWithValues: zip(keys, results))
  }

  /// Puts the errors of an aggregate that `body` throws, which are under the indices of `values`, under the keys.
  @usableFromInline
  func keyed<Result>(_ body: (Values) throws -> Result) throws -> Result where Key: Sendable {
    do {
      return try body(values)
    } catch let error as AggregateError<Int> {
      let keys = Array(keys)
      throw AggregateError(
        errors: [Key: any Error](uniqueKeysWithValues: error.errors.map { (keys[$0.key], $0.value) }))
    }
  }
}
