import Foundation

/// A value that threads take turns with.
///
/// ThreadSanitizer understands `NSLock` everywhere; of `Mutex` it reports races on Linux that are not there.
final class Guarded<Value>: @unchecked Sendable {
  // because the value is only touched while the lock is held.
  private var value: Value
  private let lock = NSLock()

  init(_ value: sending Value) {
    self.value = value
  }

  /// Hands the value to the closure while no other thread has it.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

extension Guarded where Value: Sendable {
  /// A copy of the value as it is now.
  var current: Value { withLock { $0 } }
}
