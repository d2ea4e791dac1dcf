import Dispatch

extension Chain {
  /// Nothing, for `duration`; no thread is held.
  static func pause(for duration: Duration) -> Chain {
    Chain { run in
      let (scope, _) = run.noteSurroundings()
      let listening = scope.map(Cancellation.Listening.init)
      let end = Completion<TaskResult<Any>> { result in
        listening?.stop()
        if let result { run.resume(with: .result(result)) }
      }
      let timer = Delay.run(after: duration.seconds) {
        end.complete(.success(()))
      } orNever: {
        // What never ends is not lost: the run waits for it, as long as anything could end that.
        if scope == nil { _ = Unmanaged.passRetained(end) }
      }
      guard let listening, let scope else { return nil }
      scope.listen(
        listening, since: 0,
        .wake {
          // A plain task has no outcome for it, and waits all the same.
          guard run.canFail else { return withExtendedLifetime(end) {} }
          end.complete(.failure(CancellableTaskError.taskWasCancelled))
          timer?.cancel()
        })
      if end.outcomeIfDone != nil { listening.stop() }
      return nil
    }
  }

  /// What `work` does, but no longer than `duration`; then it is called off, and `late` is the result.
  static func limit<W: Work>(
    _ work: W, to duration: Duration, orElse late: TaskResult<Any>, _ erase: @escaping (W.Outcome) -> TaskResult<Any>
  ) -> Chain {
    Chain { run in
      if let settled = work.settled { return erase(settled) }
      guard duration > .zero else { return late }
      let site = work.placeOfTask
      let (surroundings, waiter) = run.noteSurroundings()
      let hub = Waiter(hubFor: waiter)
      hub.mayGiveUp()
      let scope = Cancellation(in: surroundings)
      let end = Completion<TaskResult<Any>> { if let result = $0 { run.resume(with: .result(result)) } }
      let deadline = Deadline(after: duration, of: scope) { end.complete(late) }
      work.launch(in: scope, heeding: run.canFail, for: hub, at: site) { ending in
        deadline.stop()
        hub.leave()
        scope.end()
        // Once the time is up nobody waits, so nobody can wait in vain.
        guard end.outcomeIfDone == nil else { return }
        end.complete(run.result(of: work, ending, at: site, erase))
      }
      return nil
    }
  }
}

extension ChainStep {
  /// Waits, and hands on the value.
  static func pause(for duration: Duration) -> ChainStep {
    ChainStep(occasion: .success, queue: .taskDefault) { result in
      .chain(
        Chain(
          ChainStep(occasion: .success, queue: .taskDefault) { _ in .result(result) },
          after: (.pause(for: duration), nil)))
    }
  }
}
