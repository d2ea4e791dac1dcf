/// Tells a closure of the user's how far a transfer is: in order, one call after the other, and never when it has ended.
///
/// What comes while the closure is busy is merged: it is told the latest, and what it has not been told does not pile up.
/// The session's own delegate queue would do for none of this: it may be concurrent, or that of a main thread which waits. And a
/// queue for each request would get no turn when others have blocked as many as Dispatch has threads for.
final class ProgressReporter: Sendable {
  typealias Closure = @Sendable (TransferProgress) -> Void

  private struct State {
    /// What the closure is told next.
    var latest: TransferProgress?
    /// What was reported last, so that nothing is told twice.
    var last: TransferProgress?
    /// What comes after all else.
    var finale: (@Sendable () -> Void)?
    var isBusy = false
    var isOver = false

    mutating func note(_ progress: TransferProgress) {
      if !isOver, last != progress { (latest, last) = (progress, progress) }
    }

    /// Whether a thread is needed for what there is to be done.
    mutating func begin() -> Bool {
      guard !isBusy, latest != nil || finale != nil else { return false }
      isBusy = true
      return true
    }
  }

  private let closure: Closure
  private let state = Locked(State())

  init(_ closure: @escaping Closure) {
    self.closure = closure
  }

  /// Tells of `progress`, soon and from another thread.
  func report(_ progress: TransferProgress) {
    change { $0.note(progress) }
  }

  /// Tells of `progress` as the last, and then runs `body`, on the same thread of Taskig's own.
  func finish(_ progress: TransferProgress, then body: @escaping @Sendable () -> Void) {
    change { state in
      state.note(progress)
      state.isOver = true
      state.finale = body
    }
  }

  /// Tells no more; a call that is under way goes on.
  func stop() {
    state.withLock { ($0.isOver, $0.latest) = (true, nil) }
  }

  private func change(_ body: (inout State) -> Void) {
    let isFirst = state.withLock { state in
      body(&state)
      return state.begin()
    }
    if isFirst { Workers.shared.submit { [self] in work() } }
  }

  /// Does all that there is to be done, and what comes up meanwhile.
  private func work() {
    while true {
      let (latest, finale) = state.withLock { state -> (TransferProgress?, (@Sendable () -> Void)?) in
        let latest = state.latest.take()
        let finale = latest == nil ? state.finale.take() : nil
        state.isBusy = latest != nil || finale != nil
        return (latest, finale)
      }
      if let latest {
        closure(latest)
      } else if let finale {
        finale()
      } else {
        return
      }
    }
  }
}
