/// How a gathering of tasks ended.
@usableFromInline
struct Gathered<Outcome> {
  @usableFromInline let outcomes: Outcomes<Outcome>

  /// What ended it before the tasks did; then some may still run.
  @usableFromInline let interruption: Interruption?

  @inlinable
  init(outcomes: Outcomes<Outcome>, interruption: Interruption?) {
    self.outcomes = outcomes
    self.interruption = interruption
  }
}

extension Gathered {
  /// The values of all, in order, if the first failure was the last outcome.
  @inlinable
  func values<Value>() throws -> [Value] where Outcome == TaskResult<Value> {
    if let interruption { throw interruption.error }
    if case .failure(let error)? = outcomes.ending { throw error }
    return try outcomes.all.map { try $0.get() }
  }

  /// What each ended with, in order, if that was kept.
  @inlinable
  func results<Value>() -> [TaskResult<Value>] where Outcome == TaskResult<Value> {
    interruption.map { outcomes.all(orElse: .failure($0.error)) } ?? outcomes.all
  }

  /// What the first ended with, if that was the last outcome.
  @inlinable
  func first<Value>() -> TaskResult<Value> where Outcome == TaskResult<Value> {
    if let interruption { return .failure(interruption.error) }
    return outcomes.ending ?? .failure(TaskigError.emptySequence)
  }

  /// The first success, if that was the last outcome; all errors if there was none.
  @inlinable
  func firstSuccess<Value>() -> TaskResult<Value> where Outcome == TaskResult<Value> {
    if let interruption { return .failure(interruption.error) }
    if let success = outcomes.ending { return success }
    let errors = outcomes.all.compactMap(\.error)
    if errors.isEmpty { return .failure(TaskigError.emptySequence) }
    return .failure(AggregateError(errors: [Int: any Error](uniqueKeysWithValues: zip(errors.indices, errors))))
  }
}
