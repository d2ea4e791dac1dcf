import Dispatch

/// Something that may come to a standstill because the threads it has are blocked.
protocol PulseMember: AnyObject, Sendable {
  /// Looks whether work went on in the last `microseconds`, and brings help if it did not.
  func beat(after microseconds: Int) -> PulseVerdict
}

/// What a beat found.
enum PulseVerdict {
  /// There is nothing to look after any more.
  case done
  /// Work goes on, or can go on without help.
  case steady
  /// Help was brought; whether it is enough shows soon.
  case helped
}

/// One thread that looks, some thousand times a second while there is a reason to, whether work stands still.
///
/// That is how cheap work stays on one thread and blocking work still gets all that it is allowed: more threads come when
/// a beat finds no progress, and double with each. Asking for a thread with each task, as a thread pool does, costs
/// microseconds where the task costs nanoseconds; measuring the tasks themselves sees a blocked one too late.
final class Pulse: Sendable {
  static let shared = Pulse()

  /// A member, which is not kept alive: what it holds is let go when its users are done, and not a beat later.
  private struct Watch {
    weak var member: (any PulseMember)?
  }

  private struct State {
    var members: [Watch] = []
    /// Those that came since the last beat; their first is the one after the next, when a whole interval has passed for them.
    var newcomers: [Watch] = []
    var interval = shortest
    var lastBeat = DispatchTime.now()
    var isStarted = false
    var isAsleep = false
  }

  /// In microseconds, to which a Linux timer adds about 50 of its own.
  private static let shortest = 50
  private static let longest = 3200

  private let state = Locked(State())
  private let wakeUp = DispatchSemaphore(value: 0)

  /// Asks `member` again and again until it declines.
  func watch(_ member: any PulseMember) {
    let (start, wake) = state.withLock { state -> (Bool, Bool) in
      state.newcomers.append(Watch(member: member))
      let start = !state.isStarted
      let wake = state.isAsleep || state.interval > 4 * Self.shortest
      state.isStarted = true
      state.isAsleep = false
      state.interval = Self.shortest
      return (start, wake && !start)
    }
    if start { startThread() }
    if wake { wakeUp.signal() }
  }

  private func startThread() {
    let isStarted = NativeThread.start("taskig.pulse") { [self] in
      while true { turn() }
    }
    // Who is watched stays in the list, and the next to come tries again.
    if !isStarted { state.withLock { $0.isStarted = false } }
  }

  private func turn() {
    let (members, elapsed) = state.withLock { state in
      defer {
        state.members = state.newcomers
        state.newcomers = []
      }
      // A beat often comes later than it should, and work is measured by the time that it had.
      let now = DispatchTime.now()
      defer { state.lastBeat = now }
      return (state.members, max(1, Int((now.uptimeNanoseconds - state.lastBeat.uptimeNanoseconds) / 1_000)))
    }
    var keep: [Watch] = []
    var helped = false
    for watch in members {
      let verdict = watch.member?.beat(after: elapsed) ?? .done
      helped = helped || verdict == .helped
      if verdict != .done { keep.append(watch) }
    }
    let interval = state.withLock { state -> Int? in
      state.members.append(contentsOf: keep)
      // It lingers for some milliseconds after the last member: the next await often comes soon, and need not wake it.
      if state.members.isEmpty, state.newcomers.isEmpty, state.interval >= Self.longest {
        state.isAsleep = true
        return nil
      }
      state.interval = helped ? Self.shortest : min(state.interval * 2, Self.longest)
      return state.interval
    }
    if let interval {
      _ = wakeUp.wait(timeout: .now() + .microseconds(interval))
    } else {
      wakeUp.wait()
    }
  }
}
