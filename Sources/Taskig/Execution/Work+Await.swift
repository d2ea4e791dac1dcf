import Dispatch
import Foundation
import Synchronization

extension Work {
  /// Runs the action and blocks until its outcome is there.
  ///
  /// The part that the optimizer sees in the user's module is the cheap case alone: an action that may run here and is done
  /// when it returns. There the completion stays on the stack and the await costs a function call.
  @inlinable
  func awaitOutcome(at site: CallSite) -> Outcome {
    if let settled {
      if TaskigSettings.forbidsBlockingMainThread { Blocking.requireMayBlock(at: site) }
      return settled
    }
    let cancellation = cancellation
    return withExtendedLifetime(cancellation) {
      Frame.withRoom { frame in
        guard Frame.enter(frame, for: cancellation, on: queue, heeding: Self.cancelled != nil, at: site) else {
          return awaitElsewhere(in: frame, at: site)
        }
        if let outcome = runDirectly() {
          Frame.leave(frame)
          return outcome
        }
        var completion = Completion<Outcome>()
        run(in: frame, completion, at: site)
        // The order matters: an action that completes and lets go between these two lines is done, not lost.
        let isLetGo = isKnownUniquelyReferenced(&completion)
        atomicMemoryFence(ordering: .acquiring)
        if let outcome = completion.outcomeIfDone {
          Frame.leave(frame)
          return outcome
        }
        if isLetGo {
          // An action that is called off often does so on purpose, and then nothing has been lost.
          let cancelled = Frame.isCancelled(frame) ? Self.cancelled : nil
          Frame.leave(frame)
          return cancelled ?? lost(at: site)
        }
        return awaitLater(consume completion, in: frame, at: site)
      }
    }
  }

  /// Blocks until an action that has returned has its outcome.
  @usableFromInline
  func awaitLater(
    _ completion: consuming Completion<Outcome>, in frame: UnsafeMutablePointer<Frame>, at site: CallSite
  ) -> Outcome {
    defer { Frame.leave(frame) }
    return settle(Wait(for: self, in: frame).ending(of: consume completion), at: site)
  }

  /// Runs the action where it must run, or where it can be watched, and blocks until its outcome is there.
  @usableFromInline
  func awaitElsewhere(in frame: UnsafeMutablePointer<Frame>, at site: CallSite) -> Outcome {
    defer { Frame.leave(frame) }
    return settle(run(in: frame, timeout: nil, at: site), at: site)
  }

  /// Runs the action on another thread and blocks until its outcome is there, or for `timeout`; `nil` if the time is up.
  ///
  /// The run is then cancelled, and if it has not started, it never does.
  @usableFromInline
  func awaitOutcome(timeout: Duration, at site: CallSite) -> Outcome? {
    if let settled {
      if TaskigSettings.forbidsBlockingMainThread { Blocking.requireMayBlock(at: site) }
      return settled
    }
    let cancellation = cancellation
    return withExtendedLifetime(cancellation) {
      Frame.withRoom { frame in
        _ = Frame.enter(frame, for: cancellation, on: queue, heeding: Self.cancelled != nil, at: site)
        defer { Frame.leave(frame) }
        return resolve(run(in: frame, timeout: timeout, at: site), at: site)
      }
    }
  }

  /// The outcome of a wait without a timeout.
  private func settle(_ ending: Ending<Outcome>, at site: CallSite) -> Outcome {
    resolve(ending, at: site) ?? lost(at: site)
  }

  private func run(
    in frame: UnsafeMutablePointer<Frame>, timeout: Duration?, at site: CallSite
  ) -> Ending<Outcome> {
    guard Watching.isOn else { return runUnwatched(in: frame, timeout: timeout, at: site) }
    let watched = WatchedWork(self, isAwaited: true, at: site)
    return watched.awaiting { watched.runUnwatched(in: frame, timeout: timeout, at: site) }
  }

  private func runUnwatched(
    in frame: UnsafeMutablePointer<Frame>, timeout: Duration?, at site: CallSite
  ) -> Ending<Outcome> {
    if Self.cancelled != nil, Frame.isCancelled(frame) { return .interrupted(.cancelled) }
    if let timeout, timeout <= .zero { return .interrupted(.timedOut) }
    switch Blocking.judge(queue, on: .current, at: site) {
    case .here where timeout == nil: return runHere(in: frame, at: site)
    case .inside(let lane) where timeout == nil && (lane.isGlobal || Self.cancelled == nil || !mayBeCalledOff(frame)):
      return runInside(lane, in: frame, at: site)
    case .here:
      return runElsewhere(lane, in: frame, timeout: timeout, at: site)
    case .inside(let lane): return runElsewhere(lane, in: frame, timeout: timeout, at: site)
    case .elsewhere(let lane): return runElsewhere(lane, in: frame, timeout: timeout, at: site)
    }
  }

  /// Whether something may call off the run.
  private func mayBeCalledOff(_ frame: UnsafeMutablePointer<Frame>) -> Bool { Frame.scope(of: frame) != nil }

  private func runHere(in frame: UnsafeMutablePointer<Frame>, at site: CallSite) -> Ending<Outcome> {
    if let outcome = runDirectly() { return .outcome(outcome) }
    let completion = Completion<Outcome>()
    run(in: frame, completion, at: site)
    ThreadContext.current.watched?.come(to: .returned)
    return Wait(for: self, in: frame).ending(of: consume completion)
  }

  /// Runs the action on the calling thread, on `lane`, which it can enter and where it need not be woken meanwhile.
  private func runInside(
    _ lane: Lane, in frame: UnsafeMutablePointer<Frame>, at site: CallSite
  ) -> Ending<Outcome> {
    let thread = ThreadContext.current
    let scope = Frame.scope(of: frame)
    let completion = Completion<Outcome>()
    thread.watched?.come(to: .inLine)
    queue.sync {
      thread.watched?.come(to: .runs)
      thread.run(in: Frame(lane: lane, waiter: nil, scope: scope), on: lane) {
        if let outcome = runDirectly() {
          completion.complete(outcome)
          return
        }
        let waiter = Frame.wait(for: frame) { thread.makeWaiter() }
        thread.run(in: Frame(lane: lane, waiter: waiter, scope: scope)) {
          if let top = thread.top { run(in: top, completion, at: site) }
        }
      }
    }
    if let outcome = completion.outcomeIfDone { return .outcome(outcome) }
    thread.watched?.come(to: .returned)
    return Wait(for: self, in: frame).ending(of: consume completion)
  }

  /// Runs the action on another thread or on `lane`, while the calling thread waits, in its run loop if there is a `mode`.
  func runElsewhere(
    _ lane: Lane?, in frame: UnsafeMutablePointer<Frame>, timeout: Duration?, inRunLoop mode: RunLoop.Mode? = nil,
    at site: CallSite
  ) -> Ending<Outcome> {
    let scope = timeout == nil ? Frame.scope(of: frame) : Frame.ownScope(of: frame)
    let wait = Wait(for: self, in: frame, inRunLoop: mode)
    if timeout != nil { wait.waiter.mayGiveUp() }
    let completion = Completion<Outcome>()
    let job = job(on: lane, for: wait.waiter, in: scope, completion, at: site) { wait.isOn }
    wait.waiter.watched?.come(to: .inLine)
    if let lane {
      let isHere = ThreadContext.current.holds(lane)
      job.post(to: queue)
      job.offer(to: wait.waiter, here: isHere)
    } else {
      Workers.shared.submit(job, .urgent)
    }
    guard let timeout, let scope else { return wait.ending(of: consume completion) }
    let deadline = Deadline(after: timeout, of: scope, wait.timeIsUp)
    defer { deadline.end() }
    return wait.ending(of: consume completion)
  }
}

/// One thread's wait for one run: the outcome, cancellation or the time ends it, whichever comes first.
private struct Wait<W: Work> {
  private let work: W
  let waiter: Waiter
  private let scope: Cancellation?
  private let decision: Completion<Ending<W.Outcome>>
  private let mode: RunLoop.Mode?

  /// Makes the wait for the run of `frame`, which is the calling thread's, before or after the run begins.
  init(for work: W, in frame: UnsafeMutablePointer<Frame>, inRunLoop mode: RunLoop.Mode? = nil) {
    let waiter = Frame.wait(for: frame) { ThreadContext.current.makeWaiter() }
    self.work = work
    self.waiter = waiter
    self.mode = mode
    scope = W.cancelled == nil ? nil : Frame.scope(of: frame)
    decision = Completion { _ in waiter.finish() }
  }

  /// Whether somebody still waits.
  var isOn: Bool { decision.outcomeIfDone == nil }

  /// Ends the wait, as the time is up.
  func timeIsUp() {
    decision.complete(.interrupted(.timedOut))
  }

  /// Blocks the calling thread until the wait ends.
  ///
  /// The completion is consumed: as long as somebody else held on to it, nobody would notice that the action let it go.
  func ending(of completion: consuming Completion<W.Outcome>) -> Ending<W.Outcome> {
    completion.whenDone { [work, scope, decision] in decision.complete(work.ending($0, in: scope)) }
    _ = consume completion
    // Now, and not earlier: an outcome that came first counts, also if the task was cancelled before anybody asked for it.
    scope?.listen(.wake { [decision] in decision.complete(.interrupted(.cancelled)) })
    ThreadContext.current.wait(for: waiter, inRunLoop: mode)
    // The waiter is finished by the decision alone.
    return decision.outcomeIfDone ?? .lost
  }
}
