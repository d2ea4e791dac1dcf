import Dispatch

/// Tasks that are awaited together: what the faces on sequences and dictionaries stand on.
@usableFromInline
struct Collective<W: TaskWork> {
  @usableFromInline let tasks: [W.Subject]

  @inlinable
  init(_ tasks: some Sequence<W.Subject>) {
    self.tasks = Array(tasks)
  }

  /// Runs all, at most `limit` at once, and blocks until they are done, but no longer than `timeout`.
  ///
  /// The first outcome that `isLast` holds for decides: no more are started, and those in flight are called off. The wait then
  /// ends at once if it is `leaving`, or else when those have ended.
  ///
  /// After an interruption some actions may still run, and the outcomes can be read only if that is asked for,
  /// `keepingWhatIsThere`.
  @inlinable
  func gather(
    limit: Int, timeout: Duration? = nil, at site: CallSite, leaving: Bool = false, keepingWhatIsThere: Bool = false,
    until isLast: @escaping (W.Outcome) -> Bool = { _ in false }
  ) -> Gathered<W.Outcome> {
    requireMayGather(limit: limit, at: site)
    let outcomes = Outcomes<W.Outcome>(count: tasks.count, isReadEarly: keepingWhatIsThere)
    guard !tasks.isEmpty else { return Gathered(outcomes: outcomes, interruption: nil) }
    let start = start(at: site, leaving: leaving, until: isLast, to: outcomes)
    let interruption = watching(at: site) {
      Batch(count: tasks.count, limit: limit, start: start)
        .wait(takingPart: !leaving, timeout: timeout, heeding: W.cancelled != nil, orElse: outcomes.close)
    }
    return Gathered(outcomes: outcomes, interruption: interruption)
  }

  /// What starts an item of a batch whose outcomes go to `outcomes`.
  @inlinable
  func start(
    at site: CallSite, leaving: Bool, until isLast: @escaping (W.Outcome) -> Bool, to outcomes: Outcomes<W.Outcome>
  ) -> Batch.Start {
    let note = { (batch: Batch, index: Int, outcome: W.Outcome) in
      let isLast = isLast(outcome)
      outcomes.set(index, outcome, isLast: isLast)
      if isLast { batch.decide(leaving: leaving) }
    }
    guard !isObserved else {
      return { batch, index, frame in W(task: tasks[index]).startObserved(index, in: batch, frame, at: site, note) }
    }
    return { batch, index, frame in W(task: tasks[index]).start(index, in: batch, frame, at: site, note) }
  }

  /// The same as a chain, which blocks nobody; `result` says what comes of it.
  func chain(
    limit: Int, at site: CallSite, leaving: Bool = false,
    until isLast: @escaping (W.Outcome) -> Bool = { _ in false },
    result: @escaping (Gathered<W.Outcome>) -> TaskResult<Any>
  ) -> Chain {
    requireLimit(limit, at: site)
    return Chain { run in
      let outcomes = Outcomes<W.Outcome>(count: tasks.count, isReadEarly: false)
      guard !tasks.isEmpty else { return result(Gathered(outcomes: outcomes, interruption: nil)) }
      let (scope, waiter) = run.noteSurroundings()
      Batch.run(
        count: tasks.count, limit: limit, in: scope, for: waiter, heeding: run.canFail,
        leaving: leaving, start: start(at: site, leaving: leaving, until: isLast, to: outcomes)
      ) { interruption in
        // After an interruption some items may still write their outcomes.
        let result = interruption.map { .failure($0.error) } ?? result(Gathered(outcomes: outcomes, interruption: nil))
        run.resume(with: .result(result))
      }
      return nil
    }
  }

  /// Whether somebody is told of runs; asked once, since for each item it would be more than can be seen.
  @usableFromInline var isObserved: Bool { Watching.watchers.contains(.observer) }

  @usableFromInline
  func watching(at site: CallSite, _ body: () -> Interruption?) -> Interruption? {
    guard Watching.isOn else { return body() }
    let name = "\(tasks.count) tasks \(W.Subject.self)"
    let thread = ThreadContext.current
    let run = WatchedRun(
      of: name, name: name, queue: nil, at: site, in: thread.watchedSurroundings, isAwaited: true, phase: .gathers)
    run.noteStart()
    let interruption = thread.awaiting(run, body)
    if interruption == nil { run.noteFinish(nil) } else { run.noteCancel() }
    run.tell(.returned)
    return interruption
  }
}

extension Work {
  /// The same as `start`, of which an observer is told.
  @usableFromInline
  func startObserved(
    _ index: Int, in batch: Batch, _ frame: UnsafeMutablePointer<Frame>, at site: CallSite,
    _ note: @escaping (Batch, Int, Outcome) -> Void
  ) -> Bool {
    let watched = WatchedWork(self, isAwaited: true, at: site)
    watched.listen(to: batch.scope)
    return watched.start(index, in: batch, frame, at: site) { batch, index, outcome in
      watched.told(.outcome(outcome))
      note(batch, index, outcome)
    }
  }

  /// Starts the action as the item `index` of `batch`, and returns whether it is done already; `note` gets the outcome.
  @inlinable
  func start(
    _ index: Int, in batch: Batch, _ frame: UnsafeMutablePointer<Frame>, at site: CallSite,
    _ note: @escaping (Batch, Int, Outcome) -> Void
  ) -> Bool {
    let cancellation = cancellation
    return withExtendedLifetime(cancellation) {
      if let cancellation { Frame.begin(frame, cancellation) }
      if let cancelled = Self.cancelled, Frame.isCancelled(frame) {
        Frame.end(frame)
        note(batch, index, cancelled)
        return true
      }
      let runsAnywhere = queue === DispatchQueue.taskDefault
      if runsAnywhere, let outcome = runDirectly() {
        if frame.pointee.hasGathered { Frame.end(frame) }
        note(batch, index, outcome)
        return true
      }
      let completion = Completion<Outcome>()
      if runsAnywhere {
        run(in: frame, completion, at: site)
      } else {
        post(index, in: batch, frame, completion, at: site)
      }
      if let outcome = completion.outcomeIfDone {
        Frame.end(frame)
        note(batch, index, outcome)
        return true
      }
      // Only what calls off this very task ends it here. What is called off with the whole batch is told so, and waited for.
      hear(consume completion, frame, cancellation, endingWith: nil, within: batch.scope) { ending in
        switch ending {
        case .outcome(let outcome): note(batch, index, outcome)
        // Once the batch is decided nobody waits for this one, so nobody can wait in vain.
        case .lost: if !batch.isStopped { note(batch, index, lost(at: site)) }
        case .interrupted: if let cancelled = Self.cancelled { note(batch, index, cancelled) }
        }
        batch.finishedLater(index)
      }
      return false
    }
  }

  /// Puts the action in line on its queue, on behalf of the batch's waiter, who may be lent for it.
  @usableFromInline
  func post(
    _ index: Int, in batch: Batch, _ frame: UnsafeMutablePointer<Frame>, _ completion: Completion<Outcome>,
    at site: CallSite
  ) {
    batch.putInLine(index)
    let scope = Frame.scope(of: frame)
    let job = job(on: .of(queue), for: batch.waiter, in: scope, completion, at: site) { batch.mayLeaveLine(index) }
    job.post(to: queue)
    job.offer(to: batch.waiter, here: true)
  }
}

/// Stops the program if `limit` allows nothing to run, or if the app forbids the calling thread to block.
@usableFromInline
func requireMayGather(limit: Int, at site: CallSite) {
  Blocking.requireMayBlock(.current, at: site)
  requireLimit(limit, at: site)
}

/// Stops the program if `limit` allows nothing to run.
func requireLimit(_ limit: Int, at site: CallSite) {
  guard limit < 1 else { return }
  trap(
    "The concurrency is \(limit).",
    consequence: "No task could ever start.",
    remedy: "Pass 1 to run one at a time, or Int.max for no limit.",
    at: site)
}
