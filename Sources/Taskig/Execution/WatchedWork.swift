import Dispatch

/// Work whose run is watched: the same work, which tells how far its action has come.
struct WatchedWork<W: Work>: Work {
  typealias Subject = W.Subject

  private let work: W
  private let run: WatchedRun

  /// Makes a run of `work`, which the calling thread awaits, or starts.
  init(_ work: W, isAwaited: Bool, at site: CallSite) {
    let queue = work.queue === DispatchQueue.taskDefault ? nil : work.queue.label
    let name = work.origin?.givenName ?? "\(W.Subject.self)"
    self.work = work
    run = WatchedRun(
      of: work.name, name: name, queue: queue, at: site, in: ThreadContext.current.watchedSurroundings,
      isAwaited: isAwaited)
  }

  var queue: DispatchQueue { work.queue }
  var origin: TaskOrigin? { work.origin }
  var cancellation: Cancellation? { work.cancellation }
  static var cancelled: W.Outcome? { W.cancelled }
  var settled: W.Outcome? { work.settled }
  static var onlyJoins: Bool { W.onlyJoins }
  func join(_ completion: Completion<W.Outcome>, at site: CallSite) -> Bool { work.join(completion, at: site) }
  func lost(at site: CallSite) -> W.Outcome { work.lost(at: site) }
  var loss: any Error { work.loss }
  static func failure(of outcome: W.Outcome) -> (any Error)? { W.failure(of: outcome) }

  func runDirectly() -> W.Outcome? {
    // Nothing of a run that is joined happens here.
    if Self.onlyJoins { return work.runDirectly() }
    run.noteStart()
    guard let outcome = ThreadContext.current.whileCurrent(run, work.runDirectly) else { return nil }
    run.noteFinish(Self.failure(of: outcome))
    run.tell(.returned)
    return outcome
  }

  func start(_ completion: @escaping @Sendable (W.Outcome) -> Void) {
    run.noteStart()
    // It captures nothing besides that could not be handed over, but the type of the work.
    let note = UncheckedTransfer { [run] (outcome: W.Outcome) in run.noteFinish(Self.failure(of: outcome)) }
    ThreadContext.current.whileCurrent(run) {
      work.start { outcome in
        note.value(outcome)
        completion(outcome)
      }
    }
    run.tell(.returned)
  }

  /// Runs `body`, which awaits the run.
  func awaiting(_ body: () -> Ending<W.Outcome>) -> Ending<W.Outcome> {
    ThreadContext.current.awaiting(run) {
      let ending = body()
      told(ending)
      return ending
    }
  }

  /// Goes on with the run, of which the observer is not told either if it is its own.
  func goingOn(_ body: () -> Void) {
    if run.isHidden { ThreadContext.current.whileCurrent(run, body) } else { body() }
  }

  /// Notes that `scope` calls off the run and others, which whoever awaits them need not be told one by one.
  func listen(to scope: Cancellation) {
    scope.listen(.handler { [run] in run.noteCancel() })
  }

  /// Notes what whoever awaits the run is told.
  func told(_ ending: Ending<W.Outcome>) {
    switch ending {
    case .interrupted: run.noteCancel()
    case .lost: run.noteFinish(loss)
    case .outcome(let outcome):
      // It is news if it does not come from the action: from a run that this one has joined, or else from the runtime.
      if Self.onlyJoins { run.noteFinish(Self.failure(of: outcome)) } else { run.noteCancel() }
    }
  }
}
