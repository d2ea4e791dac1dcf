import Dispatch

/// Tells a closure of the user's how far a transfer is: in order, one call after the other, and never when it has ended.
///
/// What comes while the closure is busy is merged: it is told the latest, and what it has not been told does not pile up.
/// The session's own delegate queue would do for none of this: it may be concurrent, or that of a main thread which waits.
final class ProgressReporter: Sendable {
  typealias Closure = @Sendable (TransferProgress) -> Void

  private struct State {
    /// What the closure is told next.
    var latest: TransferProgress?
    /// What was reported last, so that nothing is told twice.
    var last: TransferProgress?
    var isScheduled = false
    var isOver = false
  }

  private let queue = DispatchQueue(label: "taskig.progress")
  private let closure: Closure
  private let state = Locked(State())

  init(_ closure: @escaping Closure) {
    self.closure = closure
  }

  /// Tells of `progress`, soon and from another thread.
  func report(_ progress: TransferProgress) {
    let isFirst = state.withLock { state -> Bool in
      guard !state.isOver, state.last != progress else { return false }
      (state.latest, state.last) = (progress, progress)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { queue.async { self.tell() } }
  }

  private func tell() {
    let latest = state.withLock { state -> TransferProgress? in
      state.isScheduled = false
      return state.latest.take()
    }
    if let latest { closure(latest) }
  }

  /// Tells of `progress` as the last, and then runs `body`, on the same thread.
  func finish(_ progress: TransferProgress, then body: @escaping @Sendable () -> Void) {
    report(progress)
    stop(forgetting: false)
    queue.async(execute: body)
  }

  /// Tells no more; a call that is under way goes on.
  func stop() {
    stop(forgetting: true)
  }

  private func stop(forgetting: Bool) {
    state.withLock { state in
      state.isOver = true
      if forgetting { state.latest = nil }
    }
  }
}
