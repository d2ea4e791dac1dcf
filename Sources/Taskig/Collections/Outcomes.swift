/// What the items of a batch ended with, each in its place.
@usableFromInline
final class Outcomes<Outcome>: @unchecked Sendable {
  // because each place is written once, by the thread that ends that item, and read after the batch, or, where it may be read
  // earlier, under the lock.
  @usableFromInline let places: UnsafeMutableBufferPointer<Outcome?>
  @usableFromInline let isReadEarly: Bool
  private let state = Locked<(last: Int?, isClosed: Bool)>((nil, false))

  @inlinable
  init(count: Int, isReadEarly: Bool) {
    places = .allocate(capacity: count)
    places.initialize(repeating: nil)
    self.isReadEarly = isReadEarly
  }

  @inlinable
  deinit {
    places.deinitialize()
    places.deallocate()
  }

  /// Notes the outcome of the item at `index`, and if it is the first to be the last, that too.
  @inlinable
  func set(_ index: Int, _ outcome: Outcome, isLast: Bool) {
    if isReadEarly { return setInTime(index, outcome) }
    places[index] = outcome
    if isLast { noteLast(index) }
  }

  @usableFromInline
  func setInTime(_ index: Int, _ outcome: Outcome) {
    state.withLock { if !$0.isClosed { places[index] = outcome } }
  }

  @usableFromInline
  func noteLast(_ index: Int) {
    state.withLock { $0.last = $0.last ?? index }
  }

  /// The outcome that ended the batch early; `nil` if all items ran.
  @usableFromInline
  var ending: Outcome? { state.withLock { $0.last }.flatMap { places[$0] } }

  /// All outcomes, in the order of the items; those of items that never started are left out.
  @inlinable
  var all: [Outcome] { places.compactMap { $0 } }

  /// Takes no more outcomes, where they may be read early.
  @usableFromInline
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// All outcomes that came before `close()`, in the order of the items, with `missing` where none did.
  @usableFromInline
  func all(orElse missing: Outcome) -> [Outcome] { places.map { $0 ?? missing } }
}
