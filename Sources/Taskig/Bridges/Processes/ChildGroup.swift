#if os(macOS) || os(Linux)
  import Foundation

  /// A child's process group, as far as ending it goes; from any thread.
  ///
  /// Its number must mean this group whenever a signal is sent to it. As long as the child has not been reaped, which is done under
  /// the same lock, it does. After that, it does as long as others are in the group, which is looked at every hundredth of a
  /// second: in less than that, no system comes round to the same number.
  ///
  /// To reap the child only when its group is over was tried first. That needs no looking, but whoever waits for just any child of
  /// this process, as Swift Testing's exit tests do, then finds that zombie again and again, and not his own.
  final class ChildGroup: Sendable {
    private struct State {
      /// There as long as signals may be sent to it.
      var number: pid_t?
      var leadsGroup = true
      var isCalledOff = false

      func send(_ signal: Int32) {
        if let number { kill(leadsGroup ? -number : number, signal) }
      }
    }

    /// Seconds from one look to the next.
    private static let interval = 0.01

    private let grace: Duration
    private let state = Locked(State())

    init(grace: Duration) {
      self.grace = grace
    }

    var isCalledOff: Bool { state.withLock { $0.isCalledOff } }

    /// Notes that the child is there; if it has been called off meanwhile, it is ended.
    func begin(_ child: pid_t, leadsGroup: Bool) {
      let isCalledOff = state.withLock { state in
        state.number = child
        state.leadsGroup = leadsGroup
        return state.isCalledOff
      }
      if isCalledOff { end() }
    }

    /// Ends the group, now or as soon as it is there, unless it has been left alone.
    func callOff() {
      let isThere = state.withLock { state in
        guard !state.isCalledOff else { return false }
        state.isCalledOff = true
        return state.number != nil
      }
      if isThere { end() }
    }

    private func end() {
      state.withLock { state in
        state.send(SIGTERM)
        // What is stopped hears of it only then.
        state.send(SIGCONT)
      }
      Delay.run(after: grace.seconds) { [self] in
        state.withLock { state in
          state.send(SIGKILL)
          state.number = nil
        }
      }
    }

    /// Reaps the child, which has ended, and says how.
    func reap(_ child: pid_t) -> ChildProcessEnding {
      let ending = state.withLock { state in
        let status = ProcessEnd.reap(child)
        // Its number is nobody's or another's, if it was reaped by somebody else.
        if !state.leadsGroup || status == nil { state.number = nil }
        return ChildProcessEnding(status: status)
      }
      look()
      return ending
    }

    /// Sees whether the group outlives the child, as long as that matters.
    private func look() {
      let isThere = state.withLock { state in
        if let number = state.number, kill(-number, 0) != 0, errno == ESRCH { state.number = nil }
        return state.number != nil
      }
      if isThere { Delay.run(after: Self.interval) { [self] in look() } }
    }

    /// Leaves alone what the child has left behind; `false` if it has been called off before.
    func leave() -> Bool {
      state.withLock { state in
        if !state.isCalledOff { state.number = nil }
        return !state.isCalledOff
      }
    }
  }
#endif
