import Dispatch

extension Cancellation: PulseMember {
  /// What runs the user's code that is asked, which may block; the pulse must not.
  private static let asking = DispatchQueue(label: "taskig.asking", attributes: .concurrent)

  /// Microseconds from one question to the next.
  private static let patience = 5_000

  func beat(after microseconds: Int) -> PulseVerdict {
    let (ask, verdict) = box.withLock { state -> (Bool, PulseVerdict) in
      state.isAsked = !state.all.isEmpty
      guard state.isAsked else { return (false, .done) }
      state.sinceAsked += microseconds
      guard !state.isBeingAsked, state.sinceAsked >= Self.patience else { return (false, .steady) }
      state.sinceAsked = 0
      state.isBeingAsked = true
      return (true, .steady)
    }
    if ask { Self.asking.async { [self] in askTask() } }
    return verdict
  }

  private func askTask() {
    if probe?.value() == true { cancel() }
    box.withLock { $0.isBeingAsked = false }
  }
}
