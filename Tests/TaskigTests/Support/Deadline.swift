import Dispatch
import Foundation
import Testing

/// Runs `body` on a thread of its own and waits for it, but not for ever: what hangs becomes a failure with a name.
///
/// Swift Testing runs synchronous tests in Swift's own pool, which is as wide as the machine has cores, and cannot end a
/// blocked one. A thread that never comes back is left behind.
///
/// A body whose only `try` stands inside `#expect` says `() throws in`: the compiler does not look into macros for it.
func withDeadline(
  _ seconds: Double = 60, _ name: String = #function, location: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () throws -> Void
) throws {
  let outcome = Box<Result<Void, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    outcome.value = Result { try body() }
    done.signal()
  }
  thread.stackSize = 8 << 20
  thread.start()
  let seconds = Machine.patience(seconds)
  guard done.wait(timeout: .now() + seconds) == .success else {
    Issue.record("\(name) did not end within \(seconds) s", sourceLocation: location)
    return
  }
  try outcome.value?.get()
}

/// A variable that threads share one after the other.
final class Box<Value>: @unchecked Sendable {
  // because the tests hand it over through a semaphore, a gate or an await, and never touch it from two threads at once.
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}
