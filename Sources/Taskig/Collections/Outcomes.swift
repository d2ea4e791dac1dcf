/// What the items of a batch ended with, each in its place.
@usableFromInline
final class Outcomes<Outcome>: @unchecked Sendable {
  // because each place is written once, by the thread that ends that item, and read after `Batch.runAndWait()`.
  @usableFromInline let places: UnsafeMutableBufferPointer<Outcome?>
  private let last = Locked<Int?>(nil)

  @inlinable
  init(count: Int) {
    places = .allocate(capacity: count)
    places.initialize(repeating: nil)
  }

  @inlinable
  deinit {
    places.deinitialize()
    places.deallocate()
  }

  /// Notes the outcome of the item at `index`, and if it is the first to be the last, that too.
  @inlinable
  func set(_ index: Int, _ outcome: Outcome, isLast: Bool) {
    places[index] = outcome
    if isLast { noteLast(index) }
  }

  @usableFromInline
  func noteLast(_ index: Int) {
    last.withLock { $0 = $0 ?? index }
  }

  /// The outcome that ended the batch early; `nil` if all items ran.
  @usableFromInline
  var ending: Outcome? { last.withLock { $0 }.flatMap { places[$0] } }

  /// All outcomes, in the order of the items; those of items that never started are left out.
  @inlinable
  var all: [Outcome] { places.compactMap { $0 } }
}
