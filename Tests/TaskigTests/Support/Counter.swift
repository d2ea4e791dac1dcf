import Synchronization

/// A number that many threads count up and down.
final class Counter: Sendable {
  private let number = Atomic(0)
  private let highest = Atomic(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  /// The highest value there has been.
  var peak: Int { highest.load(ordering: .sequentiallyConsistent) }

  @discardableResult
  func increment() -> Int {
    let value = number.add(1, ordering: .sequentiallyConsistent).newValue
    highest.max(value, ordering: .sequentiallyConsistent)
    return value
  }

  func decrement() {
    number.subtract(1, ordering: .sequentiallyConsistent)
  }
}
