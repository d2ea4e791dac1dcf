import Dispatch
import Foundation

/// Holds threads until it is opened; then it stays open.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() {
    semaphore.signal()
  }

  /// Waits for the gate to open; `false` if it does not within `seconds`, so that a test fails and does not hang.
  ///
  /// By itself it goes on long after `eventually`, `withDeadline` and `exitLate` have given up: what wrongly waits for a thread that
  /// is held here must be found by them.
  @discardableResult
  func pass(within seconds: Double = 180) -> Bool {
    guard semaphore.wait(timeout: .now() + Machine.patience(seconds)) == .success else { return false }
    semaphore.signal()
    return true
  }
}

/// Lets threads go on only when as many as expected have come.
final class Meeting: Sendable {
  private let expected: Int
  private let come = Counter()
  private let gate = Gate()

  init(of expected: Int) {
    self.expected = expected
  }

  /// Waits for the others; `false` if they do not come.
  func join(within seconds: Double = 30) -> Bool {
    if come.increment() == expected { gate.open() }
    return gate.pass(within: seconds)
  }
}
