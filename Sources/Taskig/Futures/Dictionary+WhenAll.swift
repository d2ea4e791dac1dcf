extension Dictionary where Value: TaskType {
  /// The task of running all tasks, which results in their results, under the same keys.
  ///
  /// The same as `whenAll` on a sequence in all else.
  public func whenAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> Task<[Key: Value.ResultType]> {
    values.whenAll(concurrency: concurrency, file: file, line: line).followed(by: underKeys(Value.ResultType.self))
  }
}

extension Dictionary where Value: ThrowableTaskType {
  /// The task of running all tasks, which results in their values, under the same keys, or in the first failure.
  ///
  /// The same as `whenAll` on a sequence in all else.
  @_disfavoredOverload
  public func whenAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<[Key: Value.ResultType]> {
    values.whenAll(concurrency: concurrency, file: file, line: line).followed(by: underKeys(Value.ResultType.self))
  }

  /// The task of running all tasks, which results in what each ended with, under the same keys.
  ///
  /// The same as `whenAllResults` on a sequence in all else.
  @_disfavoredOverload
  public func whenAllResults(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<[Key: TaskResult<Value.ResultType>]> {
    values.whenAllResults(concurrency: concurrency, file: file, line: line).followed(
      by: underKeys(TaskResult<Value.ResultType>.self))
  }
}

extension Dictionary where Key: Sendable {
  /// A shared task that has the values of all, under the same keys, when all have succeeded, or the first failure when there is one.
  public func whenAll<T>(file: StaticString = #fileID, line: UInt = #line) -> SharedTask<[Key: T]>
  where Value == SharedTask<T> {
    values.whenAll(file: file, line: line).followed(by: underKeys(T.self))
  }

  /// A shared task that has what each of them ended with, under the same keys, when all have.
  public func whenAllResults<T>(
    file: StaticString = #fileID, line: UInt = #line
  ) -> SharedTask<[Key: TaskResult<T>]> where Value == SharedTask<T> {
    values.whenAllResults(file: file, line: line).followed(by: underKeys(TaskResult<T>.self))
  }
}

extension Dictionary {
  /// The step that puts each of the results, which are in the order of the values, under its key.
  private func underKeys<Outcome>(_ type: Outcome.Type) -> ChainStep {
    let keys = Array(keys)
    return .map(on: .taskDefault) { (results: [Outcome]) in
      [Key: Outcome](uniqueKeysWithValues: zip(keys, results))
    }
  }
}
