/// Who waits for which signals, and what the process did on each of these before anybody did.
///
/// As long as somebody waits for a signal, that is only noted; when nobody does any more, it has the effect that it had before.
final class SignalDesk: Sendable {
  static let shared = SignalDesk()

  /// Takes a signal's number, under the desk's lock, and returns what is to be done about it after that; `nil` if it is about to
  /// go, and does not take the number.
  typealias Hearing = @Sendable (Int32) -> (@Sendable () -> Void)?

  /// Somebody who waits, until told or gone.
  struct Waiting {
    fileprivate let id: Int
    fileprivate let numbers: [Int32]
    /// Whether it goes on when it has been told.
    fileprivate let stays: Bool
    fileprivate let hear: Hearing
  }

  private struct State {
    var all = Numbered<Waiting>()
    var lastID = 0
    /// How many wait for each signal, and what it did before.
    var uses: [Int32: (count: Int, before: SignalDisposition)] = [:]
    /// Signals that do again what they did before, though one that came earlier may be on its way here.
    var handedBack: Set<Int32> = []

    /// Sees to it that the signal comes to the desk; `false` if it must not, or cannot.
    mutating func begin(_ number: Int32, heedingIgnored: Bool) -> Bool {
      tidy(number)
      guard let current = SignalDisposition(of: number) else { return false }
      // Somebody may have set another handler since the first one who waits came; that is then what comes back in the end.
      let isOurs = isOurs(number)
      let before = isOurs ? uses[number]?.before ?? current : current
      if heedingIgnored, before.isIgnored { return false }
      guard isOurs || SignalPipe.disposition.install(for: number) else { return false }
      uses[number] = ((uses[number]?.count ?? 0) + 1, before)
      handedBack.remove(number)
      return true
    }

    /// Takes out one who waits; `nil` if it has gone already.
    mutating func end(_ id: Int) -> Waiting? {
      guard let waiting = all.remove(id) else { return nil }
      for number in waiting.numbers {
        guard let (count, before) = uses[number] else { continue }
        uses[number] = count > 1 ? (count - 1, before) : nil
        if count == 1 { handBack(number, to: before) }
      }
      return waiting
    }

    /// Finds out who waits for a signal that has come, and is still there to be told; and whether it is to be sent again.
    mutating func hear(_ number: Int32) -> (
      number: Int32, asked: [(Waiting, act: (@Sendable () -> Void)?)], isReturned: Bool
    ) {
      let asked = all.all.filter { $0.numbers.contains(number) }.map { ($0, act: $0.hear(number)) }
      for (waiting, _) in asked where !waiting.stays { _ = end(waiting.id) }
      tidy(number)
      // Whoever waited has been told by one that came just before, or was just going. So it does what it would have done a moment
      // later: a second Ctrl-C ends the process however soon it comes. But once only: a handler of the user's may hand all that it
      // gets on to ours, which it found in its place, and so would get this one back for ever.
      let isReturned = !asked.contains { $0.act != nil } && handedBack.remove(number) != nil
      return (number, asked, isReturned)
    }

    /// Takes back our handler where it is left although nobody waits: somebody has saved and restored it.
    mutating func tidy(_ number: Int32) {
      if uses[number] == nil { handBack(number, to: .standard) }
    }

    private mutating func handBack(_ number: Int32, to disposition: SignalDisposition) {
      // Who has set another handler meanwhile wants that to stay.
      guard isOurs(number) else { return }
      disposition.install(for: number)
      handedBack.insert(number)
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
          SignalPipe.waitForNudge()
          Self.change(state) { _ in }
        }
      }
  }

  /// Has `hear` called when one of the signals comes, with its number: once, or each time if it `stays`.
  ///
  /// From the moment that this returns, the signals' own effects are off. Where `heedingIgnored`, signals that the process
  /// ignores stay ignored. What `hear` returns is called on the desk's thread or on that of somebody who leaves, so it must not
  /// block, nor be the user's.
  func wait(
    for signals: SignalNumbers, heedingIgnored: Bool = false, stays: Bool = false,
    _ hear: @escaping Hearing
  ) -> Waiting {
    if !hasReader { signals.trapUnheard() }
    let waiting = state.withLock { state in
      state.lastID += 1
      let numbers = signals.all.filter { state.begin($0, heedingIgnored: heedingIgnored) }
      let waiting = Waiting(id: state.lastID, numbers: numbers, stays: stays, hear: hear)
      state.all.add(waiting.id, waiting)
      return waiting
    }
    SignalPipe.nudge()
    return waiting
  }

  /// Waits no longer; `false` if a signal had come before, which has been told then.
  @discardableResult
  func leave(_ waiting: Waiting) -> Bool {
    // One that all threads block, as Dispatch's do on Linux, comes when the desk's thread has its turn, and comes here and now
    // where this one lets it in.
    SignalMask.taking(waiting.numbers) {}
    let hasLeft = Self.change(state) { $0.end(waiting.id) } != nil
    if hasLeft { SignalPipe.nudge() }
    return hasLeft
  }

  /// Changes the state, after those who wait have been told of the signals that have come until then.
  ///
  /// It is one step, so each signal is for those who waited when it came, also if one of them is just about to leave.
  private static func change<R>(_ state: Locked<State>, _ act: (inout State) -> R) -> R {
    let (heard, result) = state.withLock { state in (SignalPipe.takeNumbers().map { state.hear($0) }, act(&state)) }
    for (number, asked, isReturned) in heard {
      if isReturned { SignalDisposition.raise(number) }
      for (_, act) in asked { act?() }
    }
    return result
  }
}
