extension Interruption {
  /// What a throwing await that ends so throws.
  @usableFromInline
  var error: any Error {
    switch self {
    case .cancelled: CancellableTaskError.taskWasCancelled
    case .timedOut: TaskigError.timedOut
    }
  }
}
