import Foundation
import Taskig

/// How far one fetch is; told by the fetch, and read by whoever draws it.
final class FetchRow: Sendable {
  struct State: Sendable {
    let name: String
    let begin: ContinuousClock.Instant
    fileprivate(set) var progress = TransferProgress(received: 0)
    fileprivate(set) var tries = 1
    /// When the next try begins, between two.
    fileprivate(set) var next: ContinuousClock.Instant?
    /// Bytes in a second, of late.
    fileprivate(set) var rate: FetchRate
  }

  private let state: Guarded<State>

  init(_ name: String) {
    let now = ContinuousClock.now
    state = Guarded(State(name: name, begin: now, rate: FetchRate(since: now)))
  }

  var current: State { state.current }

  func note(_ progress: TransferProgress) {
    state.withLock { state in
      if state.next != nil || progress.received < state.progress.received {
        (state.next, state.rate) = (nil, FetchRate(since: .now))
      }
      state.progress = progress
    }
  }

  /// Notes that there will be another try after a pause.
  func wait(_ pause: Duration, until tries: Int) {
    state.withLock { ($0.tries, $0.next) = (tries, .now + pause) }
  }

  /// What there is to be drawn now.
  func look() -> State {
    state.withLock { state in
      state.rate.note(state.progress.received, at: .now)
      return state
    }
  }
}
