import Synchronization

/// An object that is made when it is first needed, by whichever thread comes first, and lives as long as this does.
///
/// `AtomicLazyReference` does the same, but works inside the library that it comes from, into which ThreadSanitizer does not look.
struct Lazily<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let reference = Atomic<Unmanaged<Object>?>(nil)

  deinit {
    reference.load(ordering: .acquiring)?.release()
  }

  /// The object, if it has been made.
  var ifMade: Object? { reference.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// The object, made with `make` if there is none yet; what another thread was quicker to make is taken instead.
  func get(_ make: () -> Object) -> Object {
    if let object = ifMade { return object }
    let made = Unmanaged.passRetained(make())
    let (isFirst, other) = reference.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
    guard !isFirst, let other else { return made.takeUnretainedValue() }
    made.release()
    return other.takeUnretainedValue()
  }
}
