import Foundation

/// A value that several threads share.
///
/// `Synchronization.Mutex` is not used: ThreadSanitizer does not see it on Linux.
final class Shared<Value>: @unchecked Sendable {
  // because the value is touched only while the lock is held.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

extension Shared where Value: Sendable {
  var current: Value { withLock { $0 } }
}

extension Shared where Value == Int {
  /// Adds one and returns what that makes.
  @discardableResult
  func increment() -> Int {
    withLock {
      $0 += 1
      return $0
    }
  }
}
