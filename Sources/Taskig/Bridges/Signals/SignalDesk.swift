/// Who waits for which signals, and what the process did on each of these before anybody did.
///
/// As long as somebody waits for a signal, that only writes its number into the pipe; when nobody does any more, it has the
/// effect that it had before.
final class SignalDesk: Sendable {
  static let shared = SignalDesk()

  /// Somebody who waits, until told or gone.
  struct Waiting {
    fileprivate let id: Int
    fileprivate let numbers: [Int32]
    /// Whether it goes on when it has been told.
    fileprivate let stays: Bool
    fileprivate let tell: @Sendable (Int32) -> Void
  }

  private struct State {
    var all = Numbered<Waiting>()
    var lastID = 0
    /// How many wait for each signal, and what it did before.
    var uses: [Int32: (count: Int, before: SignalDisposition)] = [:]

    /// Sees to it that the signal comes to the desk; `false` if it must not, or cannot.
    mutating func begin(_ number: Int32, heedingIgnored: Bool) -> Bool {
      tidy(number)
      guard let before = uses[number]?.before ?? SignalDisposition(of: number) else { return false }
      if heedingIgnored, before.isIgnored { return false }
      let count = uses[number]?.count ?? 0
      guard count > 0 || SignalPipe.disposition.install(for: number) else { return false }
      uses[number] = (count + 1, before)
      return true
    }

    /// Takes out one who waits; `nil` if it has gone already.
    mutating func end(_ id: Int) -> Waiting? {
      guard let waiting = all.remove(id) else { return nil }
      for number in waiting.numbers {
        guard let (count, before) = uses[number] else { continue }
        uses[number] = count > 1 ? (count - 1, before) : nil
        // Who has set another handler meanwhile wants that to stay.
        if count == 1, isOurs(number) { before.install(for: number) }
      }
      return waiting
    }

    /// Takes back our handler where it is left although nobody waits: somebody has saved and restored it.
    func tidy(_ number: Int32) {
      if uses[number] == nil, isOurs(number) { SignalDisposition.standard.install(for: number) }
    }

    private func isOurs(_ number: Int32) -> Bool {
      SignalDisposition(of: number)?.calls(the: SignalPipe.disposition) == true
    }
  }

  private let state = Locked(State())

  /// Whether there is a thread that reads what comes through the pipe.
  ///
  /// It lives as long as the process does. A queue would do without a thread, but then a signal that all threads block would
  /// never arrive; and they all do in a program that was itself started on a thread of Dispatch's.
  private let hasReader: Bool

  private init() {
    let state = state
    hasReader =
      SignalPipe.isMade
      && NativeThread.start("taskig.signals") {
        let mask = SignalMask.current
        while true {
          mask.taking(state.withLock { Array($0.uses.keys) }).install()
          for number in SignalPipe.nextNumbers() { Self.deliver(number, state) }
        }
      }
  }

  /// Has `tell` called when one of the signals comes, with its number: once, or each time if it `stays`.
  ///
  /// From the moment that this returns, the signals' own effects are off. Where `heedingIgnored`, signals that the process
  /// ignores stay ignored. `tell` is called on the desk's thread, so it must not block, nor be the user's.
  func wait(
    for signals: SignalNumbers, heedingIgnored: Bool = false, stays: Bool = false,
    _ tell: @escaping @Sendable (Int32) -> Void
  ) -> Waiting {
    if !hasReader { signals.trapUnheard() }
    let waiting = state.withLock { state in
      state.lastID += 1
      let numbers = signals.all.filter { state.begin($0, heedingIgnored: heedingIgnored) }
      let waiting = Waiting(id: state.lastID, numbers: numbers, stays: stays, tell: tell)
      state.all.add(waiting.id, waiting)
      return waiting
    }
    SignalPipe.nudge()
    return waiting
  }

  /// Waits no longer; `false` if a signal had come before.
  @discardableResult
  func leave(_ waiting: Waiting) -> Bool {
    let hasLeft = state.withLock { $0.end(waiting.id) } != nil
    if hasLeft { SignalPipe.nudge() }
    return hasLeft
  }

  private static func deliver(_ number: Int32, _ state: Locked<State>) {
    let told = state.withLock { state in
      let told = state.all.all.filter { $0.numbers.contains(number) }
      for waiting in told where !waiting.stays { _ = state.end(waiting.id) }
      state.tidy(number)
      return told
    }
    // Whoever waited has been told by one that came just before, or has gone. So it does what it would have done a moment later:
    // a second Ctrl-C ends the process however soon it comes.
    if told.isEmpty { SignalDisposition.raise(number) }
    for waiting in told { waiting.tell(number) }
  }
}
