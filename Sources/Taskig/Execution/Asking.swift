/// Asks tasks that give no notice of their cancellation, again and again.
///
/// What is asked is the user's code, which may block. So workers do it, and not the pulse, and where one is held up another goes
/// on with the rest.
final class Asking: Sendable {
  static let shared = Asking()

  private struct Weak {
    weak var cancellation: Cancellation?
  }

  private struct State {
    var asked: [Weak] = []
    /// Those still to be asked before all begins again.
    var round = FIFO<Cancellation>()
    var isWatched = false
  }

  private let state = Locked(State())

  /// Asks `cancellation` from now on, as long as it has somebody to tell.
  func ask(_ cancellation: Cancellation) {
    let watch = state.withLock { state -> Bool in
      state.asked.append(Weak(cancellation: cancellation))
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if watch { Pulse.shared.watch(self) }
  }

  private func goRound() {
    while let next = state.withLock({ $0.round.popFirst() }) { next.ask() }
  }
}

extension Asking: PulseMember {
  func beat(after microseconds: Int) -> PulseVerdict {
    let (begin, verdict) = state.withLock { state -> (Bool, PulseVerdict) in
      // Whoever was sent at the last beat is held up.
      guard state.round.isEmpty else { return (true, .steady) }
      state.asked.removeAll { $0.cancellation?.keepAsking() != true }
      for cancellation in state.asked.compactMap(\.cancellation) where cancellation.beginAsking() {
        state.round.append(cancellation)
      }
      state.isWatched = !state.asked.isEmpty
      return (!state.round.isEmpty, state.isWatched ? .steady : .done)
    }
    if begin { Workers.shared.submit(Job(on: nil, for: nil, in: nil) { [self] in goRound() }) }
    return verdict
  }
}
