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

    func noteDeparting(_ group: ChildGroup) {
      state.withLock { _ = $0.departing.insert(ObjectIdentifier(group)) }
    }

    func noteGone(_ group: ChildGroup) {
      let over = state.withLock { state in
        guard state.departing.remove(ObjectIdentifier(group)) != nil else { return [Farewell]() }
        for index in state.farewells.indices { state.farewells[index].groups.remove(ObjectIdentifier(group)) }
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

  extension ChildProcess {
    /// The end of all children that have been cancelled before, as a task that results when they and their process groups are
    /// gone.
    ///
    /// An await that is cancelled, or whose time is up, does not wait for the child that it ends. A program that must not leave
    /// before its children do, or whose next step needs what they held, waits for them with this:
    ///
    /// ```swift
    /// let napping = ChildProcess("sleep", "60").withGrace(.milliseconds(500))
    /// do {
    ///   try napping.await(timeout: .milliseconds(50))
    /// } catch TaskigError.timedOut {
    ///   ChildProcess.endOfCancelled.await()
    ///   print("it sleeps no more")
    /// }
    /// ```
    ///
    /// It takes as long as the longest grace at most, and a moment: what heeds no `SIGTERM` is then ended by `SIGKILL`; see
    /// ``withGrace(_:)``. Those that are cancelled after the await began are not waited for. Nothing cancels it, so that it can be awaited in a run that
    /// has been cancelled itself; `await(timeout:)` gives it a limit. It holds no thread while it waits.
    public static var endOfCancelled: Task<Void> {
      Task { completion in ChildDepartures.shared.whenGone { completion(()) } }
    }
  }
#endif
