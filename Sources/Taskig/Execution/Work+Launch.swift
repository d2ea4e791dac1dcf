import Dispatch
import Foundation

extension Work {
  /// Starts the action on its queue, `seconds` from now, and returns at once; `receiver` gets the outcome, once.
  ///
  /// Without a receiver nobody waits, so nobody can wait in vain: an action that drops its completion is no fault then.
  ///
  /// What runs here is no part of what the caller awaits, and is called off by the task's own cancellation alone, or with
  /// `surroundings`.
  func launch(
    after seconds: TimeInterval, in surroundings: Cancellation? = nil, at site: CallSite,
    receiver: ((Outcome) -> Void)? = nil
  ) {
    let waiter = receiver.flatMap { _ in ThreadContext.current.waiterForHandedOn }
    launch(after: seconds, in: surroundings, for: waiter, at: site) { ending in
      if let receiver, let outcome = resolve(ending, at: site) { receiver(outcome) }
    }
  }

  /// Does so on behalf of `waiter`, and tells `receive` how the run ends: at once when it is called off, if it is `heeding` that.
  func launch(
    after seconds: TimeInterval = 0, in surroundings: Cancellation?, heeding: Bool = true, for waiter: Waiter?,
    at site: CallSite,
    _ receive: @escaping (Ending<Outcome>) -> Void
  ) {
    guard Watching.watchers.contains(.observer) else {
      return launchUnwatched(after: seconds, in: surroundings, heeding: heeding, for: waiter, at: site, receive)
    }
    let watched = WatchedWork(self, isAwaited: false, at: site)
    watched.launchUnwatched(after: seconds, in: surroundings, heeding: heeding, for: waiter, at: site) { ending in
      watched.told(ending)
      watched.goingOn { receive(ending) }
    }
  }

  /// Does so for a run that nobody observes, or whose work tells of it itself.
  func launchUnwatched(
    after seconds: TimeInterval = 0, in surroundings: Cancellation?, heeding: Bool, for waiter: Waiter?,
    at site: CallSite, _ receive: @escaping (Ending<Outcome>) -> Void
  ) {
    Delay.requireNumber(seconds, at: site)
    let receive = { (ending: Ending<Outcome>) in
      guard let waiter else { return receive(ending) }
      // What the receiver hands on in its turn, the same await waits for.
      ThreadContext.current.continuing(for: waiter) { receive(ending) }
    }
    let cancellation = cancellation
    guard cancellation != nil || surroundings != nil else {
      let completion = Completion<Outcome> { receive($0.map(Ending.outcome) ?? .lost) }
      post(job(on: lane, for: waiter, in: nil, completion, at: site), after: seconds) { completion.abandon() }
      return
    }
    launch(
      after: seconds, calledOffBy: cancellation, in: surroundings, heeding: heeding, for: waiter, at: site, receive)
  }

  /// Does so for work that `cancellation` or `surroundings` may call off.
  private func launch(
    after seconds: TimeInterval, calledOffBy cancellation: Cancellation?, in surroundings: Cancellation?,
    heeding: Bool, for waiter: Waiter?, at site: CallSite, _ receive: @escaping (Ending<Outcome>) -> Void
  ) {
    let mark = cancellation?.mark ?? 0
    let scope = Cancellation()
    let decision = Completion<Ending<Outcome>> { ending in
      // A task of the user's own type has nobody else to keep alive what asks it.
      withExtendedLifetime(cancellation) { scope.end() }
      // Nothing is decided if nothing ever will be: it was to start at a moment that never comes.
      if let ending { receive(ending) }
    }
    if cancellation?.isCancelled == true || surroundings?.isCancelled == true {
      scope.cancel()
      // A task that is cancelled already is found so where it would have run, and its outcome comes from there, without delay. One
      // that has no outcome for that does not come so far.
      if heeding, Self.cancelled == nil {
        decision.complete(.interrupted(.cancelled))
        return
      }
    }
    let completion = Completion<Outcome> { decision.complete(ending($0, in: scope)) }
    let job = job(on: lane, for: waiter, in: scope, completion, at: site) { decision.outcomeIfDone == nil }
    let timer = post(job, after: scope.isCancelled ? 0 : seconds) {
      completion.abandon()
      scope.end()
    }
    guard !scope.isCancelled else { return }
    if heeding {
      scope.listen(
        .receiver {
          // In this order: with the timer goes the job, and an action that cannot start any more counts as one that is lost.
          decision.complete(.interrupted(.cancelled))
          timer?.cancel()
        })
    }
    if let cancellation { scope.follow(cancellation, since: mark) }
    if let surroundings { scope.follow(surroundings) }
  }

  /// The queue that the action must run on; `nil` if any thread will do.
  var lane: Lane? { queue === DispatchQueue.taskDefault ? nil : .of(queue) }

  @discardableResult
  private func post(_ job: Job, after seconds: TimeInterval, orNever never: () -> Void) -> Delay? {
    let queue = UncheckedTransfer(queue)
    let onlyJoins = Self.onlyJoins
    return Delay.run(
      after: seconds,
      {
        guard job.lane != nil else { return onlyJoins ? job.run() : Workers.shared.submit(job) }
        job.post(to: queue.value)
        if let waiter = job.waiter { job.offer(to: waiter, here: true) }
      },
      orNever: never)
  }
}
