/// Counts the objects of a test that are alive.
final class Population: Sendable {
  final class Member: Sendable {
    private let alive: Counter

    fileprivate init(_ alive: Counter) {
      self.alive = alive
      alive.increment()
    }

    deinit { alive.decrement() }
  }

  private let alive = Counter()

  /// A new one, for a closure to hold.
  func member() -> Member { Member(alive) }

  /// How many are alive.
  var count: Int { alive.value }

  /// Whether all but so many come to be let go of.
  func hasDied(leaving count: Int = 0) -> Bool { eventually { alive.value == count } }
}

/// Something that may have been let go of.
struct Faint<Object: AnyObject & Sendable>: @unchecked Sendable {
  // because weak references count atomically, and nobody writes it.
  weak var object: Object?

  init(_ object: Object) { self.object = object }
}
