import Dispatch

/// Tasks that are awaited together: what the faces on sequences and dictionaries stand on.
@usableFromInline
struct Collective<W: Work> {
  @usableFromInline let tasks: [W.Subject]

  @inlinable
  init(_ tasks: some Sequence<W.Subject>) {
    self.tasks = Array(tasks)
  }

  /// Runs all, at most `limit` at once, and blocks until they are done.
  ///
  /// With the first outcome that `isLast` holds for, no more are started.
  @inlinable
  func awaitOutcomes(
    limit: Int, at site: CallSite, until isLast: @escaping (W.Outcome) -> Bool = { _ in false }
  ) -> Outcomes<W.Outcome> {
    requireLimit(limit, at: site)
    let outcomes = Outcomes<W.Outcome>(count: tasks.count)
    guard !tasks.isEmpty else { return outcomes }
    let note = { (batch: Batch, index: Int, outcome: W.Outcome) in
      let isLast = isLast(outcome)
      outcomes.set(index, outcome, isLast: isLast)
      if isLast { batch.stop() }
    }
    Batch(count: tasks.count, limit: limit) { batch, index in
      W(task: tasks[index]).start(index, in: batch, at: site, note)
    }.runAndWait()
    return outcomes
  }

  /// Runs them, at most `limit` at once, and blocks until the first is done; the others are left to themselves.
  ///
  /// There is at least one.
  @inlinable
  func awaitFirstOutcome(limit: Int, at site: CallSite) -> W.Outcome {
    requireLimit(limit, at: site)
    let winner = Completion<W.Outcome>()
    let note = { (batch: Batch, index: Int, outcome: W.Outcome) in
      guard winner.complete(outcome) else { return }
      batch.stop()
      batch.waiter.finish()
    }
    Batch(count: tasks.count, limit: limit) { batch, index in
      W(task: tasks[index]).start(index, in: batch, at: site, note)
    }.raceAndWait()
    // The waiter was finished by whoever completed the winner, so it is there.
    return winner.outcomeIfDone ?? W(task: tasks[0]).lost(at: site)
  }
}

extension Work {
  /// Starts the action as the item `index` of `batch`, and returns whether it is done already; `note` gets the outcome.
  @inlinable
  func start(
    _ index: Int, in batch: Batch, at site: CallSite, _ note: @escaping (Batch, Int, Outcome) -> Void
  ) -> Bool {
    let runsAnywhere = queue === DispatchQueue.taskDefault
    if runsAnywhere, let outcome = runDirectly() {
      note(batch, index, outcome)
      return true
    }
    let completion = Completion<Outcome>()
    if runsAnywhere {
      start { completion.complete($0) }
    } else {
      post(in: batch, completion)
    }
    if let outcome = completion.outcomeIfDone {
      note(batch, index, outcome)
      return true
    }
    completion.whenDone { outcome in
      if let outcome {
        note(batch, index, outcome)
      } else if !batch.isStopped {
        // Once the batch is decided nobody waits for this one, so nobody can wait in vain.
        note(batch, index, lost(at: site))
      }
      batch.finishedLater()
    }
    return false
  }

  /// Puts the action in line on its queue, on behalf of the batch's waiter, who may be lent for it.
  @usableFromInline
  func post(in batch: Batch, _ completion: Completion<Outcome>) {
    batch.putInLine()
    let lane = Lane.of(queue)
    let job = job(on: lane, for: batch.waiter, completion, if: batch.mayLeaveLine)
    Line.post(job, to: queue)
    job.offer(to: batch.waiter)
  }
}

/// Stops the program if `limit` allows nothing to run.
@usableFromInline
func requireLimit(_ limit: Int, at site: CallSite) {
  guard limit < 1 else { return }
  trap(
    "The concurrency is \(limit).",
    consequence: "No task could ever start.",
    remedy: "Pass 1 to run one at a time, or Int.max for no limit.",
    at: site)
}
