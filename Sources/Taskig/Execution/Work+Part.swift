import Dispatch

extension Work {
  /// Runs the action as a part of the run that the calling thread is in, right here, and returns its outcome if that is there
  /// when it returns.
  ///
  /// If it is not, or if the action cannot run here, `end` is told how it ends, once, from whichever thread, and must not block.
  /// It may be so before this returns. `prepare` is called before, on the calling thread; it returns what calls off the run of
  /// which this is a part, and who waits for it. If that run is `heeding` its cancellation, that ends this one at once.
  func begin(
    at site: CallSite, heeding: Bool, preparing prepare: () -> (scope: Cancellation?, waiter: Waiter?),
    _ end: @escaping (Ending<Outcome>) -> Void
  ) -> Outcome? {
    guard Watching.watchers.contains(.observer) else {
      return beginUnwatched(at: site, heeding: heeding, preparing: prepare, end)
    }
    let watched = WatchedWork(self, isAwaited: true, at: site)
    let outcome = watched.beginUnwatched(at: site, heeding: heeding, preparing: prepare) { ending in
      watched.told(ending)
      end(ending)
    }
    if let outcome { watched.told(.outcome(outcome)) }
    return outcome
  }

  /// Does so for a run that nobody observes, or whose work tells of it itself.
  func beginUnwatched(
    at site: CallSite, heeding: Bool, preparing prepare: () -> (scope: Cancellation?, waiter: Waiter?),
    _ end: @escaping (Ending<Outcome>) -> Void
  ) -> Outcome? {
    let thread = ThreadContext.current
    guard queue === thread.defaultQueue, thread.hasRoom else {
      let (scope, waiter) = prepare()
      launchUnwatched(in: scope, heeding: heeding, for: waiter, at: site, end)
      return nil
    }
    let cancellation = cancellation
    var frame = Frame(.part)
    return withExtendedLifetime(cancellation) {
      withUnsafeMutablePointer(to: &frame) { frame in
        thread.push(frame)
        defer { ThreadContext.pop(frame) }
        if let cancellation { Frame.begin(frame, cancellation) }
        if let cancelled = Self.cancelled, Frame.isCancelled(frame) { return cancelled }
        if let outcome = runDirectly() { return outcome }
        let completion = Completion<Outcome>()
        run(in: frame, completion, at: site)
        if let outcome = completion.outcomeIfDone { return outcome }
        let (scope, _) = prepare()
        hear(consume completion, frame, cancellation, endingWith: heeding ? scope : nil, within: scope, end)
        return nil
      }
    }
  }

  /// Has `end` told, once, how the run ends that has begun in `frame`, which can go on to the next.
  ///
  /// `cancellation` and `scope` end it at once. An action that drops its completion once the run is called off, with its own
  /// scope or the `surroundings`, has lost nothing.
  @usableFromInline
  func hear(
    _ completion: consuming Completion<Outcome>, _ frame: UnsafeMutablePointer<Frame>, _ cancellation: Cancellation?,
    endingWith scope: Cancellation?, within surroundings: Cancellation?, _ end: @escaping (Ending<Outcome>) -> Void
  ) {
    let mark = Frame.mark(of: frame)
    let ownScope = Frame.takeScope(of: frame)
    Frame.end(frame)
    guard cancellation != nil || scope != nil else {
      return completion.whenDone { outcome in
        let ending = ending(outcome, in: ownScope)
        ownScope?.end()
        end(ending)
      }
    }
    let toTask = cancellation.map(Cancellation.Listening.init)
    let toScope = scope.map(Cancellation.Listening.init)
    let decision = Completion<Ending<Outcome>> { ending in
      // A task of the user's own type has nobody else to keep alive what asks it.
      withExtendedLifetime(cancellation) { toTask?.stop() }
      toScope?.stop()
      ownScope?.end()
      if let ending { end(ending) }
    }
    completion.whenDone { decision.complete(ending($0, in: ownScope ?? surroundings)) }
    let wake = Cancellation.Listener.wake { decision.complete(.interrupted(.cancelled)) }
    if let toTask { cancellation?.listen(toTask, since: mark, wake) }
    if let toScope { scope?.listen(toScope, since: 0, wake) }
    guard decision.outcomeIfDone != nil else { return }
    toTask?.stop()
    toScope?.stop()
  }
}
