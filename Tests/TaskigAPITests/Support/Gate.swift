import Dispatch

/// Holds threads until it is opened; it stays open.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() {
    semaphore.signal()
  }

  func pass() {
    semaphore.wait()
    semaphore.signal()
  }
}

/// Calls `start` with a handler, and returns what the handler is called with first.
func caught<Value: Sendable>(_ start: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
  let arrived = Gate()
  let value = Shared<Value?>(nil)
  start { new in
    value.withLock { $0 = $0 ?? new }
    arrived.open()
  }
  arrived.pass()
  return value.current!
}
