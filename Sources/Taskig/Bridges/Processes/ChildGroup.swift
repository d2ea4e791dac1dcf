#if os(macOS) || os(Linux)
  import Foundation

  /// A child's process group, as far as ending it goes; from any thread.
  ///
  /// Its number must mean this group whenever a signal is sent to it. As long as the child has not ended, it does. After that,
  /// Foundation reaps the child at a moment of its own, and the number is the group's as long as the child or others are in it,
  /// which is looked at every hundredth of a second. The risk that is left: within that time the group becomes empty, the system
  /// comes round to the same number, and gives it to another group.
  final class ChildGroup: Sendable {
    private struct State {
      /// There as long as signals may be sent to it.
      var number: pid_t?
      var isCalledOff = false
      /// Whether the child has ended, or will never be there.
      var isChildOver = false
      /// How often has been looked since it was called off, and how often in a row nobody was found alive.
      var looks = 0
      var looksInVain = 0

      /// Whether nothing is left that might do something.
      ///
      /// Not at the first look in vain, as one that is started just then may be missed.
      var isGone: Bool { isCalledOff && isChildOver && (number == nil || looksInVain > 1) }

      func send(_ signal: Int32) {
        if let number { kill(-number, signal) }
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
    func begin(_ child: pid_t) {
      let isCalledOff = state.withLock { state in
        state.number = child
        return state.isCalledOff
      }
      if isCalledOff { end() }
    }

    /// Ends the group, now or as soon as it is there, unless it has been left alone.
    func callOff() {
      let isThere = state.withLock { state in
        guard !state.isCalledOff else { return false }
        state.isCalledOff = true
        state.looks = 0
        ChildDepartures.shared.noteDeparting(ObjectIdentifier(self))
        return state.number != nil
      }
      if isThere { end() } else { tellIfGone() }
    }

    /// Notes that the child has ended, or will never be there.
    func noteOver() {
      state.withLock { $0.isChildOver = true }
      look()
    }

    /// Lets those go on who wait for the end of what has been called off.
    private func tellIfGone() {
      if state.withLock({ $0.isGone }) { ChildDepartures.shared.noteGone(ObjectIdentifier(self)) }
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
        tellIfGone()
      }
    }

    /// Sees whether the group outlives its child, which has ended, as long as that matters.
    private func look() {
      let (number, looks) = state.withLock { state in
        if let number = state.number, !ProcessGroup.exists(number) { state.number = nil }
        state.looks += 1
        return (state.number, state.isCalledOff ? state.looks : 0)
      }
      guard let number else { return tellIfGone() }
      // More and more seldom, since it takes long.
      if looks.nonzeroBitCount == 1 { Workers.shared.submit { [self] in lookClosely(at: number) } }
      Delay.run(after: Self.interval) { [self] in look() }
    }

    private func lookClosely(at number: pid_t) {
      let isAlive = ProcessGroup.hasLivingMember(number)
      state.withLock { $0.looksInVain = isAlive ? 0 : $0.looksInVain + 1 }
      tellIfGone()
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
