import Dispatch
import Synchronization

extension Work {
  /// Runs the action and blocks until its outcome is there.
  ///
  /// The part that the optimizer sees in the user's module is the cheap case alone: an action that may run here and is done
  /// when it returns. There the completion stays on the stack and the await costs a function call.
  @inlinable
  func awaitOutcome(at site: CallSite) -> Outcome {
    var frame = Frame()
    return withUnsafeMutablePointer(to: &frame) { frame in
      guard Frame.enter(frame, for: queue, at: site) else { return awaitElsewhere(at: site) }
      if let outcome = runDirectly() {
        Frame.leave(frame)
        return outcome
      }
      var completion = Completion<Outcome>()
      start { [completion] in completion.complete($0) }
      Frame.leave(frame)
      // The order matters: an action that completes and lets go between these two lines is done, not lost.
      let isLetGo = isKnownUniquelyReferenced(&completion)
      atomicMemoryFence(ordering: .acquiring)
      if let outcome = completion.outcomeIfDone { return outcome }
      if isLetGo { return lost(at: site) }
      return awaitLater(consume completion) ?? lost(at: site)
    }
  }

  @usableFromInline
  func awaitElsewhere(at site: CallSite) -> Outcome {
    let thread = ThreadContext.current
    let completion = Completion<Outcome>()
    let waiter = thread.makeWaiter()
    switch Blocking.judge(queue, on: thread, at: site) {
    case .inside(let lane):
      queue.sync {
        thread.run(in: Frame(lane: lane, waiter: nil)) { start { completion.complete($0) } }
      }
    case .elsewhere(let lane?):
      let job = job(on: lane, for: waiter, completion)
      Line.post(job, to: queue)
      job.offer(to: waiter.parent)
    case .elsewhere(nil), .here:
      Workers.shared.submit(job(on: nil, for: waiter, completion), urgently: true)
    }
    return waiter.waitForOutcome(of: consume completion) ?? lost(at: site)
  }
}

extension Work {
  /// Blocks until an action that has returned has its outcome; `nil` if that was lost.
  @usableFromInline
  func awaitLater(_ completion: consuming Completion<Outcome>) -> Outcome? {
    ThreadContext.current.makeWaiter().waitForOutcome(of: consume completion)
  }
}

extension Waiter {
  /// Blocks until `completion` has its outcome; `nil` if it was lost.
  ///
  /// The completion is consumed: as long as the waiter held on to it, nobody would notice that the action let it go.
  fileprivate func waitForOutcome<Outcome>(of completion: consuming Completion<Outcome>) -> Outcome? {
    let delivery = Delivery<Outcome>()
    completion.whenDone { outcome in
      delivery.outcome = outcome
      self.finish()
    }
    _ = consume completion
    ThreadContext.current.wait(for: self)
    return delivery.outcome
  }
}

/// Where an outcome lies between the thread that completes and the one that waits.
private final class Delivery<Outcome>: @unchecked Sendable {
  // because it is written before `Waiter.finish()` and read after the wait.
  var outcome: Outcome?
}
