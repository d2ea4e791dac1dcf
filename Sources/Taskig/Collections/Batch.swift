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
  /// Starts the item of that index on the thread that calls, in its frame, and returns whether it is done already; if not,
  /// `finishedLater(_:)` is called once when it is.
  @usableFromInline typealias Start = (Batch, Int, UnsafeMutablePointer<Frame>) -> Bool

  @usableFromInline let waiter: Waiter

  /// What calls off all items.
  @usableFromInline let scope: Cancellation

  /// What calls off the work that the batch is a part of.
  private let surroundings: Cancellation?
  private let width: Int
  private let start: Locked<UncheckedTransfer<Start>?>
  private let state: Locked<BatchState>

  /// The end of the wait.
  private let end: Completion<Void>

  /// Makes a batch of `count` items, of which at most `limit` are in flight at once, to be awaited on the calling thread.
  @usableFromInline
  convenience init(count: Int, limit: Int, start: @escaping Start) {
    let thread = ThreadContext.current
    let waiter = thread.makeWaiter(takesPart: true)
    self.init(
      count: count, limit: limit, for: waiter, in: thread.scope, end: Completion { _ in waiter.finish() }, start: start)
  }

  /// Makes one that is a part of what `surroundings` calls off, and that `waiter` stands for.
  private init(
    count: Int, limit: Int, for waiter: Waiter, in surroundings: Cancellation?, end: Completion<Void>,
    start: @escaping Start
  ) {
    self.start = Locked(UncheckedTransfer(start))
    width = min(limit, count, Workers.cores)
    state = Locked(BatchState(count: count, limit: limit))
    self.waiter = waiter
    self.surroundings = surroundings
    self.end = end
    scope = Cancellation(in: surroundings)
  }

  /// Runs the items and returns when all are done, when the batch was decided and those in flight have ended, or when
  /// `decide(leaving: true)` was called; if it is `heeding` cancellation, also at once when it is called off.
  ///
  /// The caller takes part if it need not be free to leave while a slow item still runs. When the time is up, `close` is called
  /// before the items are called off, so that what they make of that comes too late.
  @usableFromInline
  func wait(
    takingPart: Bool, timeout: Duration?, heeding: Bool, orElse close: @escaping () -> Void
  ) -> Interruption? {
    let thread = ThreadContext.current
    defer {
      scope.end()
      letGo()
    }
    if heeding, thread.isCancelled { return .cancelled }
    if let timeout, timeout <= .zero { return .timedOut }
    let interruption = interruption(orElse: close)
    let listening = heeding ? surroundings?.listen(.wake { interruption.complete(.cancelled) }) : nil
    if !takingPart || timeout != nil { waiter.mayGiveUp() }
    let deadline = timeout.map { Deadline(after: $0, of: scope) { interruption.complete(.timedOut) } }
    if takingPart, timeout == nil { runAndWait(on: thread) } else { onlyWait(on: thread) }
    listening?.stop()
    deadline?.end()
    if isStopped { scope.cancel() }
    return interruption.outcomeIfDone
  }

  /// What ends the batch before its items do.
  private func interruption(orElse close: @escaping () -> Void = {}) -> Completion<Interruption> {
    Completion { [self] interruption in
      guard interruption != nil else { return }
      stop()
      close()
      end.complete(())
    }
  }

  private func runAndWait(on thread: ThreadContext) {
    // Deep inside nested awaits the caller's stack may be short; then only others run items.
    if thread.hasRoom {
      perform(state.withLock { $0.begin() })
      thread.waiting(for: waiter) { runOnCaller() }
    } else {
      perform(state.withLock { $0.begin(runners: 1) })
      sendRunner()
    }
    thread.wait(for: waiter)
  }

  private func onlyWait(on thread: ThreadContext) {
    perform(state.withLock { $0.begin(runners: width) })
    for _ in 0..<width { sendRunner() }
    thread.wait(for: waiter)
  }

  /// Gives up the tasks, and what they captured, on the thread that awaited them; others may hold the batch for longer.
  private func letGo() {
    let start = start.withLock { $0.take() }
    withExtendedLifetime(start) {}
  }

  /// Starts no more items, and calls off those in flight; the wait ends at once if it is `leaving`, or when they have ended.
  @usableFromInline
  func decide(leaving: Bool) {
    stop()
    // Whoever leaves calls them off itself: it would be over before this thread comes to it.
    if leaving { end.complete(()) } else { scope.cancel() }
  }

  private func stop() {
    perform(state.withLock { $0.stop() })
  }

  /// Whether no more items start, since the batch is decided.
  @usableFromInline
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Notes that the item at `index`, which was not done when it returned, is.
  @usableFromInline
  func finishedLater(_ index: Int) {
    perform(state.withLock { $0.finishedLater(index) })
  }

  /// Notes that the item at `index`, which is in flight, waits for its turn on a queue.
  func putInLine(_ index: Int) {
    state.withLock { $0.putInLine(index) }
  }

  /// Whether the item at `index`, whose turn has come, may start.
  func mayLeaveLine(_ index: Int) -> Bool {
    state.withLock { $0.mayLeaveLine(index) }
  }

  private func runOnCaller() {
    let thread = ThreadContext.current
    thread.run(in: Frame(lane: thread.lane, waiter: thread.waiter, scope: scope)) { run(on: thread, isCaller: true) }
  }

  private func run(on thread: ThreadContext, isCaller: Bool) {
    // A runner that comes when all is over finds nothing.
    var start = start.withLock { $0 }
    if start == nil { return }
    let system = thread.systemThread
    state.withLock { $0.runnerCame(system, isCaller: isCaller) }
    var frame = Frame(forRunsOf: waiter)
    withUnsafeMutablePointer(to: &frame) { frame in
      thread.push(frame)
      defer { ThreadContext.pop(frame) }
      var turn = BatchState.Turn.came
      while true {
        let (item, step) = state.withLock { $0.nextItem(after: turn, isCaller: isCaller) }
        // Whoever waits may be gone with this step, and what the tasks captured must be gone by then.
        if item == nil { start = nil }
        perform(step)
        guard let item, let start else { break }
        turn = start.value(self, item, frame) ? .done : .started
      }
    }
    state.withLock { $0.runnerLeft(system) }
  }

  private func perform(_ step: BatchState.Step) {
    switch step {
    case .nothing: break
    case .finish: end.complete(())
    case .callBack(let watch):
      waiter.call { [self] in runOnCaller() }
      if watch { Pulse.shared.watch(self) }
    case .bringRunner: sendRunner()
    case .watch: Pulse.shared.watch(self)
    }
  }

  private func sendRunner(_ urgency: Workers.Urgency = .urgent) {
    Workers.shared.submit(
      Job(on: nil, for: waiter, in: scope) { [self] in run(on: .current, isCaller: false) }, urgency)
  }
}

extension Batch {
  /// Runs `count` items, as a part of a run that `surroundings` calls off and for which `waiter` waits, and blocks nobody; `end` is
  /// told when all are done, when the batch was decided and those in flight have ended, or when `decide(leaving: true)` was called;
  /// if it is `heeding` cancellation, also at once when it is called off.
  static func run(
    count: Int, limit: Int, in surroundings: Cancellation?, for waiter: Waiter?, heeding: Bool, leaving: Bool,
    start: @escaping Start, end: @escaping (Interruption?) -> Void
  ) {
    let hub = Waiter(hubFor: waiter)
    if leaving { hub.mayGiveUp() }
    let over = Completion<Void>()
    let batch = Batch(count: count, limit: limit, for: hub, in: surroundings, end: over, start: start)
    let interruption = batch.interruption()
    let listening = heeding ? surroundings.map(Cancellation.Listening.init) : nil
    over.whenDone { _ in
      listening?.stop()
      // Whoever left calls off the others.
      if batch.isStopped { batch.scope.cancel() }
      batch.scope.end()
      batch.letGo()
      hub.leave()
      end(interruption.outcomeIfDone)
    }
    if let listening { surroundings?.listen(listening, since: 0, .wake { interruption.complete(.cancelled) }) }
    batch.perform(batch.state.withLock { $0.begin(runners: batch.width) })
    // Nobody blocks meanwhile, so nothing needs more threads than work for them shows.
    for _ in 0..<batch.width { batch.sendRunner(.quiet) }
  }
}

extension Batch: PulseMember {
  func beat(after microseconds: Int) -> PulseVerdict {
    switch state.withLock({ $0.progress(after: microseconds) }) {
    case .needsNone: return .done
    case .good: return .steady
    case .slow(let threads, let busy): return threads.areRunnable(busy) ? .steady : help()
    }
  }

  private func help() -> PulseVerdict {
    let more = state.withLock { $0.help() }
    for _ in 0..<more { sendRunner() }
    return more > 0 ? .helped : .steady
  }
}
