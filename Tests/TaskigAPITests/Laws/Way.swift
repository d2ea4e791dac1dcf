/// One way to run a task and to learn what it ends with.
///
/// All ways are generic: the conformer's type is not known where the task is run.
protocol Way: Sendable {
  var name: String { get }

  /// How often one call may run the action.
  var runs: ClosedRange<Int> { get }
}

/// What a plain task ended with, as text: results of all types compare and go from thread to thread.
func ending<Value>(_ value: Value) -> String { "value \(value)" }

/// What a throwing task ended with, as text.
func ending<Value>(_ outcome: Result<Value, any Error>) -> String {
  switch outcome {
  case .success(let value): ending(value)
  case .failure(let error): "error \(error)"
  }
}

/// What several throwing tasks ended with: each value, or the one error.
func endings<Value>(_ outcome: Result<[Value], any Error>) -> [String] {
  switch outcome {
  case .success(let values): values.map(ending)
  case .failure(let error): ["error \(error)"]
  }
}

/// Carries a task into a closure that asks for `Sendable`.
struct Carrier<Value>: @unchecked Sendable {
  // because the one who packs it blocks until the one who unpacks it is done.
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
