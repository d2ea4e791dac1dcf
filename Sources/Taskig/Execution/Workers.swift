import Dispatch
import Foundation

/// Threads of our own, as many as are needed: for work that must not run on the caller.
///
/// Dispatch replaces a blocked thread of its pool only after a second, so two blocked tasks on two cores would hold up all
/// others. Here a standstill is noticed within a beat, and the number of threads doubles until work moves again. Idle
/// threads wait some seconds for more and then end.
final class Workers: Sendable {
  static let shared = Workers()

  private struct State {
    var line = FIFO<Job>()
    /// Jobs that go first: somebody waits for each, and a thread has been brought for it.
    var urgentLine = FIFO<Job>()
    var threads = 0
    /// Threads that have been started and have not looked for a job yet.
    var arriving = 0
    var idle = 0
    var taken = 0
    var takenAtLastBeat = 0
    var isWatched = false

    var waiting: Int { urgentLine.count + line.count }
  }

  private enum Help {
    case none
    case wake
    case start
    case watch
  }

  private static let patience = DispatchTimeInterval.seconds(5)
  static let cores = ProcessInfo.processInfo.activeProcessorCount

  private let state = Locked(State())
  private let wakeUp = DispatchSemaphore(value: 0)

  /// Runs `job` on a thread of ours; jobs start in the order in which they are submitted, the urgent ones first.
  ///
  /// `urgently` brings a thread at once if none is free, rather than to see first whether the busy ones get there within a
  /// beat.
  func submit(_ job: Job, urgently: Bool = false) {
    let help = state.withLock { state -> Help in
      if urgently { state.urgentLine.append(job) } else { state.line.append(job) }
      if state.idle >= state.waiting { return .wake }
      if urgently || state.threads < Self.cores {
        state.threads += 1
        state.arriving += 1
        return .start
      }
      guard !state.isWatched else { return .none }
      state.isWatched = true
      return .watch
    }
    switch help {
    case .none: break
    case .wake: wakeUp.signal()
    case .start: startThread()
    case .watch: Pulse.shared.watch(self)
    }
  }

  private func startThread() {
    let isStarted = NativeThread.start("taskig.worker") { [self] in
      state.withLock { $0.arriving -= 1 }
      while let job = next() { job.run() }
    }
    if isStarted { return }
    // The job stays in line: a thread that we have takes it, or a beat asks for another thread.
    let watch = state.withLock { state -> Bool in
      state.threads -= 1
      state.arriving -= 1
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if watch { Pulse.shared.watch(self) }
  }

  /// The next job, or `nil` if none comes for so long that the thread may end.
  private func next() -> Job? {
    var isLastLook = false
    var wasIdle = false
    while true {
      let (job, leave) = state.withLock { state -> (Job?, Bool) in
        // In one step with the look at the line: in between, this thread would count as one that can still be woken.
        if wasIdle { state.idle -= 1 }
        if let job = state.urgentLine.popFirst() ?? state.line.popFirst() {
          state.taken += 1
          return (job, false)
        }
        if isLastLook {
          state.threads -= 1
          return (nil, true)
        }
        state.idle += 1
        return (nil, false)
      }
      if job != nil || leave { return job }
      wasIdle = true
      isLastLook = wakeUp.wait(timeout: .now() + Self.patience) == .timedOut
    }
  }
}

extension Workers: PulseMember {
  func beat(after microseconds: Int) -> PulseVerdict {
    let (more, verdict) = state.withLock { state -> (Int, PulseVerdict) in
      guard state.waiting > 0 else {
        state.isWatched = false
        return (0, .done)
      }
      let stands = state.taken == state.takenAtLastBeat && state.idle < state.waiting
      state.takenAtLastBeat = state.taken
      // What the last help is worth shows when it has arrived; on a busy machine that takes more than a beat.
      guard stands, state.arriving == 0 else { return (0, .steady) }
      let more = min(state.waiting, max(state.threads, 1))
      state.threads += more
      state.arriving += more
      return (more, .helped)
    }
    for _ in 0..<more { startThread() }
    return verdict
  }
}
