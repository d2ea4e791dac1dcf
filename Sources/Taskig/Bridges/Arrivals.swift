/// The runs of an asynchronous sequence's tasks, and their outcomes, in the order in which they come.
///
/// Runs are begun only when somebody asks for an outcome, and one that nobody has asked for yet counts as one of those at once:
/// who takes time over each does not have them pile up. Let go of, it calls off what runs.
final class Arrivals<Outcome>: Sendable {
  /// Begins the run of a task, which the scope calls off and whose outcome goes to the closure.
  typealias Start = (_ index: Int, Cancellation, @escaping (Outcome) -> Void) -> Void

  private struct State {
    var outcomes = FIFO<UncheckedTransfer<Outcome>>()
    var receiver: CheckedContinuation<Void, Never>?
    /// Runs that have begun and whose outcomes nobody has taken.
    var open = 0
    var next = 0
    /// Whether nobody asks for more.
    var isStopped = false

    /// The index of the task whose run is to begin; `nil` if none is.
    mutating func nextToBegin(of count: Int, limit: Int) -> Int? {
      guard next < count, open < limit else { return nil }
      open += 1
      next += 1
      return next - 1
    }
  }

  private let state = Locked(State())
  private let scope = Cancellation()
  private let count: Int
  private let limit: Int
  private let start: UncheckedTransfer<Start>

  /// Makes them for `count` tasks, at most `limit` at once, each of which `start` begins.
  init(count: Int, limit: Int, start: @escaping Start) {
    self.count = count
    self.limit = limit
    self.start = UncheckedTransfer(start)
  }

  deinit { stop() }

  /// Suspends until the next outcome is there; `nil` if there are no more.
  ///
  /// Cancelling the Swift task that waits calls off the runs.
  func next(isolation: isolated (any Actor)? = #isolation) async -> Outcome? {
    await withTaskCancellationHandler {
      // In here, so that none begins that is called off already.
      begin()
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state -> Bool in
          guard state.open > 0, state.outcomes.isEmpty else { return true }
          state.receiver = continuation
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      scope.cancel()
    }
    return state.withLock { state -> UncheckedTransfer<Outcome>? in
      guard let outcome = state.outcomes.popFirst() else { return nil }
      state.open -= 1
      return outcome
    }?.value
  }

  /// Begins as many runs as are allowed.
  private func begin() {
    while let index = state.withLock({ $0.nextToBegin(of: count, limit: limit) }) {
      start.value(index, scope) { [weak self] outcome in self?.take(outcome) }
    }
  }

  private func take(_ outcome: Outcome) {
    let receiver = state.withLock { state in
      if !state.isStopped { state.outcomes.append(UncheckedTransfer(outcome)) }
      return state.receiver.take()
    }
    receiver?.resume()
  }

  /// Begins no more runs, and calls off those that go on.
  func stop() {
    let left = state.withLock { state in
      defer { (state.isStopped, state.next, state.open, state.outcomes) = (true, count, 0, FIFO()) }
      return state.outcomes
    }
    withExtendedLifetime(left) {}
    scope.cancel()
    scope.end()
  }
}
