import Dispatch

/// The one engine under all that awaits many tasks: it brings the threads that start the items, and ends the wait.
///
/// It knows indices only. Whoever uses it gives a closure that starts an item and tells whether the item is done already.
///
/// Runners are threads that start one item after the other; the caller is one where it may. More come when a beat of the
/// pulse finds them stuck in slow items, up to the limit. An item that returns before it is done, as callback-style ones do,
/// stays in flight without a runner.
@usableFromInline
final class Batch: Sendable {
  @usableFromInline let waiter: Waiter
  private let width: Int
  private let start: Locked<UncheckedTransfer<(Batch, Int) -> Bool>?>
  private let state: Locked<BatchState>

  /// Makes a batch of `count` items, of which at most `limit` are in flight at once.
  ///
  /// `start` starts the item of that index, on the thread that calls, and returns whether it is done already; if not,
  /// `finishedLater()` is called once when it is.
  @usableFromInline
  init(count: Int, limit: Int, start: @escaping (Batch, Int) -> Bool) {
    self.start = Locked(UncheckedTransfer(start))
    width = min(limit, count, Workers.cores)
    state = Locked(BatchState(count: count, limit: limit))
    waiter = ThreadContext.current.makeWaiter()
  }

  /// Returns when all items are done, or when `stop()` was called and those in flight have ended; the caller takes part.
  @usableFromInline
  func runAndWait() {
    // Deep inside nested awaits the caller's stack may be short; then only others run items.
    let thread = ThreadContext.current
    if thread.hasRoom {
      perform(state.withLock { $0.begin() })
      thread.waiting(for: waiter) { runOnCaller() }
    } else {
      perform(state.withLock { $0.begin(runners: 1) })
      sendRunner()
    }
    thread.wait(for: waiter)
    letGo()
  }

  /// Returns when the waiter is finished, which is up to whoever uses the batch, as is stopping it.
  ///
  /// The caller only waits, since it must be free to leave while a slow item still runs.
  @usableFromInline
  func raceAndWait() {
    perform(state.withLock { $0.begin(runners: width) })
    for _ in 0..<width { sendRunner() }
    ThreadContext.current.wait(for: waiter)
    letGo()
  }

  /// Gives up the tasks, and what they captured, on the thread that awaited them; others may hold the batch for longer.
  private func letGo() {
    let start = start.withLock { $0.take() }
    withExtendedLifetime(start) {}
  }

  /// Starts no more items.
  @usableFromInline
  func stop() {
    perform(state.withLock { $0.stop() })
  }

  /// Whether no more items start, since the batch is decided.
  @usableFromInline
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Notes that an item is done that was not when it returned.
  @usableFromInline
  func finishedLater() {
    perform(state.withLock { $0.finishedLater() })
  }

  /// Notes that an item in flight waits for its turn on a queue.
  func putInLine() {
    state.withLock { $0.putInLine() }
  }

  /// Whether an item whose turn has come may start.
  func mayLeaveLine() -> Bool {
    state.withLock { $0.mayLeaveLine() }
  }

  private func runOnCaller() {
    var frame = Frame()
    withUnsafeMutablePointer(to: &frame) { frame in
      ThreadContext.current.push(frame)
      run(isCaller: true)
      ThreadContext.pop(frame)
    }
  }

  private func run(isCaller: Bool) {
    // A runner that comes when all is over finds nothing.
    var start = start.withLock { $0 }
    if start == nil { return }
    let thread = ThreadContext.current.systemThread
    state.withLock { $0.runnerCame(thread, isCaller: isCaller) }
    var turn = BatchState.Turn.came
    while true {
      let (item, step) = state.withLock { $0.nextItem(after: turn, isCaller: isCaller) }
      // Whoever waits may be gone with this step, and what the tasks captured must be gone by then.
      if item == nil { start = nil }
      perform(step)
      guard let item, let start else { break }
      turn = start.value(self, item) ? .done : .started
    }
    state.withLock { $0.runnerLeft(thread) }
  }

  private func perform(_ step: BatchState.Step) {
    switch step {
    case .nothing: break
    case .finish: waiter.finish()
    case .callBack(let watch):
      waiter.call { [self] in runOnCaller() }
      if watch { Pulse.shared.watch(self) }
    case .bringRunner: sendRunner()
    case .watch: Pulse.shared.watch(self)
    }
  }

  private func sendRunner() {
    Workers.shared.submit(Job(on: nil, for: waiter) { [self] in run(isCaller: false) }, urgently: true)
  }
}

extension Batch: PulseMember {
  func beat(after microseconds: Int) -> PulseVerdict {
    switch state.withLock({ $0.progress(after: microseconds) }) {
    case .needsNone: return .done
    case .good: return .steady
    case .slow: return help()
    case .none(let threads):
      // A runner that only waits for a processor is not helped by another one, unless there is a processor to spare.
      return threads.count { $0.isRunnable == true } < Workers.cores ? help() : .steady
    }
  }

  private func help() -> PulseVerdict {
    let more = state.withLock { $0.help() }
    for _ in 0..<more { sendRunner() }
    return more > 0 ? .helped : .steady
  }
}
