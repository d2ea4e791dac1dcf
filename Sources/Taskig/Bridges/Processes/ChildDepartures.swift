#if os(macOS) || os(Linux)
  /// The children that have been called off and are not gone yet, and who waits for that; from any thread.
  final class ChildDepartures: Sendable {
    static let shared = ChildDepartures()

    private struct Farewell {
      var groups: Set<ObjectIdentifier>
      let completion: @Sendable () -> Void
    }

    private struct State {
      var departing: Set<ObjectIdentifier> = []
      var farewells: [Farewell] = []

      mutating func takeOver() -> [Farewell] {
        defer { farewells.removeAll(where: \.groups.isEmpty) }
        return farewells.filter(\.groups.isEmpty)
      }
    }

    private let state = Locked(State())

    private init() {}

    func noteDeparting(_ group: ObjectIdentifier) {
      state.withLock { _ = $0.departing.insert(group) }
    }

    func noteGone(_ group: ObjectIdentifier) {
      let over = state.withLock { state in
        guard state.departing.remove(group) != nil else { return [Farewell]() }
        for index in state.farewells.indices { state.farewells[index].groups.remove(group) }
        return state.takeOver()
      }
      // What goes on with it is the user's, and may take as long as it likes.
      for farewell in over { Workers.shared.submit(.urgent) { farewell.completion() } }
    }

    /// Calls `completion` when those are gone that are departing now: at once if there are none, and otherwise on a worker.
    func whenGone(_ completion: @escaping @Sendable () -> Void) {
      let areGone = state.withLock { state in
        if !state.departing.isEmpty {
          state.farewells.append(Farewell(groups: state.departing, completion: completion))
        }
        return state.departing.isEmpty
      }
      if areGone { completion() }
    }
  }
#endif
