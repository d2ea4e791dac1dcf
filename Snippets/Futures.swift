import Foundation
import Taskig

/// A download that fails the first two times.
func download(_ name: String) -> ThrowableTask<String> {
  let attempts = Attempts()
  return ThrowableTask {
    if attempts.next() < 3 { throw URLError(.timedOut) }
    return "the \(name)"
  }
}

final class Attempts: @unchecked Sendable {
  // because the attempts come one after the other.
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

// What follows a task is part of it: still cold, and still blocking nothing until it is awaited.
let page = download("page")
  .retry(attempts: 3, backoff: .exponential(from: .milliseconds(10)))
  .timeout(.seconds(5))
  .map { $0.uppercased() }
  .recover { error in "no page: \(error)" }

// Started, it runs once, now, and whoever wants the result has it.
let shared = page.start()
let length = shared.map { $0.count }
print(try shared.await(), try length.await(), try shared.await())

// A result that comes from elsewhere.
let source = TaskCompletionSource<Int>()
DispatchQueue.global().async { source.set(42) }
print(try source.task.await())
