/// What a throwing task ends with: its value or its error.
public typealias TaskResult<Value> = Result<Value, any Error>

extension Result {
  /// Whether this is a failure.
  @inlinable
  var isFailure: Bool { error != nil }

  /// The error, if this is a failure.
  @inlinable
  var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
