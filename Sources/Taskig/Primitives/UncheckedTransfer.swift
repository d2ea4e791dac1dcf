/// Carries a value to another thread without asking whether it is `Sendable`.
///
/// Cold tasks and their results need not be: an await hands them over and blocks, and an outcome is fresh for each await.
@usableFromInline
struct UncheckedTransfer<Value>: @unchecked Sendable {
  // because the sender gives the value up, or blocks until the receiver is done with it.
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }
}
