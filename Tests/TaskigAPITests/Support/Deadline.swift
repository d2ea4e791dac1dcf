import Foundation
import Testing

/// What a test fails with when its body has not ended in time.
struct DeadlineExceeded: Error, CustomStringConvertible {
  let name: String
  let seconds: TimeInterval

  var description: String { "“\(name)” had not ended after \(seconds) s: it hangs, or this machine is very slow." }
}

/// Runs `body` on a thread of its own and returns what it returns, or throws by `name` if that takes more than `seconds`.
///
/// Swift Testing runs tests in Swift's own thread pool, where a blocked test would hold up the others and hang without a
/// word. Here nobody's thread is blocked but the body's own; when the deadline has passed, that thread is left behind.
///
/// Expectations belong after this call, on what the body returned: on the body's thread Swift Testing does not know which
/// test they are part of.
func withDeadline<R: Sendable>(
  _ name: String, seconds: TimeInterval = 30, _ body: @escaping @Sendable () throws -> R
) async throws -> R {
  let outcome = Shared<CheckedContinuation<R, any Error>?>(nil)
  return try await withCheckedThrowingContinuation { continuation in
    outcome.withLock { $0 = continuation }
    let finish = { @Sendable (result: Result<R, any Error>) in
      outcome.withLock { $0.take() }?.resume(with: result)
    }
    let thread = Thread { finish(Result { try body() }) }
    thread.name = name
    // As much as a main thread has: `Thread`'s own 512 KiB is less than nested awaits may ask for.
    thread.stackSize = 8 << 20
    thread.start()
    // Not on a global queue, where the timer would be late just when a test has filled that with blocked work.
    deadlines.asyncAfter(deadline: .now() + seconds) {
      finish(.failure(DeadlineExceeded(name: name, seconds: seconds)))
    }
  }
}

private let deadlines = DispatchQueue(label: "tests.deadlines", qos: .userInteractive)
