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
  /// One who waits.
  private struct Waiter {
    /// Whether it takes the number of the signal that it is told next.
    let claim: @Sendable () -> Bool
    /// Tells it the number, or that none comes any more.
    let tell: @Sendable (TaskResult<Int32>) -> Void
  }

  private struct State {
    var kept: [Int32] = []
    var waiters = Numbered<Waiter>()
    var lastID = 0
    var hasEnded = false

    /// Takes out those who wait, and says who of them takes the number; if none does, it is kept.
    ///
    /// Who does not has been called off. It may be the last to hold the watch, and so must not be let go of in here.
    mutating func hear(_ number: Int32) -> [(waiter: Waiter, takes: Bool)] {
      let asked = waiters.takeAll().map { ($0, $0.claim()) }
      if !asked.contains(where: \.1), !kept.contains(number) { kept.append(number) }
      return asked
    }
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
      // Here, so that who stops the watch finds kept what has come before.
      let asked = state.withLock { $0.hear(number) }
      return {
        for (waiter, takes) in asked {
          let outcome: TaskResult = takes ? .success(number) : .failure(CancellableTaskError.taskWasCancelled)
          Workers.shared.submit(.urgent) { waiter.tell(outcome) }
        }
      }
    }
  }

  deinit { stop() }

  /// A task that completes with the number of the first signal that has been kept, or of the next that comes.
  ///
  /// A signal that comes while several wait completes them all. One that comes just as an await of the task is cancelled or runs
  /// out of time is told or kept, never neither and never both. No thread is held. Once the watch has been stopped and nothing is
  /// kept, the task fails with `CancellableTaskError.taskWasCancelled`.
  public var next: ThrowableTask<Int32> {
    ThrowableTask(at: CallSite(#fileID, #line)) { claim, completion in
      let id = self.wait(claim, completion)
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
    for waiter in told { waiter.tell(.failure(CancellableTaskError.taskWasCancelled)) }
  }

  /// Has `completion` told of the next signal, if `claim` does not say otherwise; returns what to give that up with.
  private func wait(
    _ claim: @escaping @Sendable () -> Bool, _ completion: @escaping @Sendable (TaskResult<Int32>) -> Void
  ) -> Int {
    let (id, outcome) = state.withLock { state -> (Int, TaskResult<Int32>?) in
      state.lastID += 1
      if let number = state.kept.first, claim() {
        state.kept.removeFirst()
        return (state.lastID, .success(number))
      }
      // Also who comes with a wait that has been called off since it began.
      if state.hasEnded || !state.kept.isEmpty {
        return (state.lastID, .failure(CancellableTaskError.taskWasCancelled))
      }
      let waiter = Waiter(claim: claim) { outcome in withExtendedLifetime(self) { completion(outcome) } }
      state.waiters.add(state.lastID, waiter)
      return (state.lastID, nil)
    }
    if let outcome { completion(outcome) }
    return id
  }

  private func giveUp(_ id: Int) {
    state.withLock { $0.waiters.remove(id) }?.tell(.failure(CancellableTaskError.taskWasCancelled))
  }
}
