/// Keeps watch for signals, so that none is missed between one wait and the next.
///
/// ```swift
/// let hangups = SignalWatch(SIGHUP)
/// for _ in 1...2 {
///   try hangups.next.await()
///   readSettings()
/// }
/// hangups.stop()
/// ```
///
/// From its making until it is stopped or let go of, the signals do nothing else. One that comes while nobody waits is kept for
/// who waits next; of several alike, one is, as the system itself does it.
public final class SignalWatch: Sendable {
  private struct State {
    var kept: [Int32] = []
    /// What tells each of those who wait: the number, or that none comes any more.
    var waiters = Numbered<@Sendable (TaskResult<Int32>) -> Void>()
    var lastID = 0
    var hasEnded = false
  }

  private let state: Locked<State>
  private let waiting: SignalDesk.Waiting

  /// Begins to watch for the signals; from any thread.
  ///
  /// Traps for the numbers for which ``ThrowableTask/nextSignal(_:_:file:line:)`` does.
  public init(_ first: Int32, _ others: Int32..., file: StaticString = #fileID, line: UInt = #line) {
    let state = Locked(State())
    self.state = state
    waiting = SignalDesk.shared.wait(for: SignalNumbers(first, others, at: CallSite(file, line)), stays: true) {
      number in
      let told = state.withLock { state in
        if state.waiters.isEmpty, !state.kept.contains(number) { state.kept.append(number) }
        return state.waiters.takeAll()
      }
      for tell in told { Workers.shared.runUrgently { tell(.success(number)) } }
    }
  }

  deinit { stop() }

  /// A task that completes with the number of the first signal that has been kept, or of the next that comes.
  ///
  /// A signal that comes while several wait completes them all. No thread is held. Once the watch has been stopped and nothing is
  /// kept, the task fails with `CancellableTaskError.taskWasCancelled`.
  public var next: ThrowableTask<Int32> {
    ThrowableTask { completion in
      let id = self.wait(completion)
      // The task keeps the watch, so who waits is told even if nobody else holds it.
      Task.onCancel { self.giveUp(id) }
    }
  }

  /// Ends the watch: the signals do again what they did before, and who waits is told that none comes any more.
  public func stop() {
    SignalDesk.shared.leave(waiting)
    let told = state.withLock { state in
      state.hasEnded = true
      return state.waiters.takeAll()
    }
    for tell in told { tell(.failure(CancellableTaskError.taskWasCancelled)) }
  }

  /// Has `completion` told of the next signal; returns what to give that up with.
  private func wait(_ completion: @escaping @Sendable (TaskResult<Int32>) -> Void) -> Int {
    let (id, outcome) = state.withLock { state -> (Int, TaskResult<Int32>?) in
      state.lastID += 1
      if !state.kept.isEmpty { return (state.lastID, .success(state.kept.removeFirst())) }
      if state.hasEnded { return (state.lastID, .failure(CancellableTaskError.taskWasCancelled)) }
      state.waiters.add(state.lastID) { outcome in withExtendedLifetime(self) { completion(outcome) } }
      return (state.lastID, nil)
    }
    if let outcome { completion(outcome) }
    return id
  }

  private func giveUp(_ id: Int) {
    state.withLock { $0.waiters.remove(id) }?(.failure(CancellableTaskError.taskWasCancelled))
  }
}
