import Dispatch

/// Asks a task that gives no notice of its cancellation, again and again, as long as there is somebody to tell.
///
/// What is asked is the user's code, and so is what may go with the last reference to it. The pulse comes near neither.
final class Asker: Sendable {
  private static let queue = DispatchQueue(label: "taskig.asking", attributes: .concurrent)

  /// Microseconds from one question to the next.
  private static let patience = 5_000

  private struct State {
    var isBusy = false
    var isWanted = true
    var waited = 0
  }

  private let question: @Sendable () -> Bool
  private let state = Locked(State())

  /// Makes one that calls `question` now and then, until that returns `false`.
  init(_ question: @escaping @Sendable () -> Bool) {
    self.question = question
  }

  private func ask() {
    let isWanted = question()
    state.withLock { ($0.isBusy, $0.isWanted) = (false, isWanted) }
  }
}

extension Asker: PulseMember {
  func beat(after microseconds: Int) -> PulseVerdict {
    let (ask, verdict) = state.withLock { state -> (Bool, PulseVerdict) in
      guard state.isWanted else { return (false, .done) }
      state.waited += microseconds
      guard !state.isBusy, state.waited >= Self.patience else { return (false, .steady) }
      (state.isBusy, state.waited) = (true, 0)
      return (true, .steady)
    }
    if ask { Self.queue.async { [self] in self.ask() } }
    return verdict
  }
}
