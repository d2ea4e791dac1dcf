import Dispatch
import Foundation

/// Work for a thread of our own.
protocol WorkItem: AnyObject, Sendable {
  func run()
}

/// Threads of our own, as many as are needed: for work that must not run on the caller.
///
/// Dispatch replaces a blocked thread of its pool only after a second, so two blocked tasks on two cores would hold up all
/// others. Here a standstill is noticed within a beat, and the number of threads doubles until work moves again. Idle
/// threads wait some seconds for more and then end.
final class Workers: Sendable {
  static let shared = Workers()

  private struct State {
    var line = FIFO<any WorkItem>()
    /// Jobs that go first: somebody waits for each, and a thread has been brought for it.
    var urgentLine = FIFO<any WorkItem>()
    var threads = 0
    /// Threads that have been started and have not looked for a job yet.
    var arriving = 0
    var idle = 0
    /// Idle threads that have been woken and have not looked for a job yet.
    var waking = 0
    /// The threads that have come, as the system knows them.
    var systemThreads: [SystemThread] = []
    /// Jobs that have been taken since the pulse began to watch.
    var taken = 0
    var takenAtLastBeat = 0
    /// Microseconds in which none was.
    var standstill = 0
    var isWatched = false

    var pending: Int { urgentLine.count + line.count }

    /// Threads that are not asleep, or are about not to be.
    var awake: Int { threads - idle + waking }

    /// Microseconds after which threads that have been seen to take many jobs are taken for stuck: the more there are, the less
    /// likely is it that all are in slow jobs just now.
    var stuck: Int { max(2_000, threads * 25) }

    /// Whether the pulse has to be asked to watch, which it is to from now on.
    mutating func watch() -> Bool {
      guard !isWatched else { return false }
      isWatched = true
      (taken, takenAtLastBeat, standstill) = (0, 0, 0)
      return true
    }
  }

  /// How soon a job needs a thread.
  enum Urgency {
    /// Somebody waits for it, so a thread is brought if none is free.
    case urgent
    /// It may block, so a free thread is woken for it.
    case normal
    /// It is short, as far as can be told, and comes from what has just ended. Waking a thread for it would often cost more than
    /// all that it does: the threads that are awake take it, and if they do not within a beat, others are woken.
    case quiet
  }

  private enum Help {
    case none
    case wake
    case start
    case watch
  }

  /// What tells a worker from other threads.
  private final class Mark {
    var isWorker = false
  }

  private static let mark = ThreadLocal { Mark() }
  private static let patience = DispatchTimeInterval.seconds(5)

  /// Microseconds after which a standstill is taken for one, whatever the threads seem to do.
  private static let tooLong = 50_000
  static let cores = ProcessInfo.processInfo.activeProcessorCount

  private let state = Locked(State())
  private let wakeUp = DispatchSemaphore(value: 0)

  /// Runs `job` on a thread of ours; jobs start in the order in which they are submitted, the urgent ones first.
  ///
  /// If none is free, it is seen first whether the busy ones get there within a beat, unless it is urgent.
  func submit(_ job: any WorkItem, _ urgency: Urgency = .normal) {
    let comesFromWorker = urgency == .quiet && Self.mark.value.isWorker
    let help = state.withLock { state -> Help in
      if urgency == .urgent { state.urgentLine.append(job) } else { state.line.append(job) }
      // A worker comes back for it, and one that is on its way brings the next.
      let isQuiet = urgency == .quiet && (comesFromWorker || state.waking > 0 || state.awake >= Self.cores)
      if !isQuiet, state.idle >= state.pending {
        state.waking += 1
        return .wake
      }
      if !isQuiet, urgency == .urgent || state.threads < Self.cores {
        state.threads += 1
        state.arriving += 1
        return .start
      }
      return state.watch() ? .watch : .none
    }
    act(on: help)
  }

  /// Wakes a free thread for what the calling one, if it is a worker, would have come back for: it is about to block.
  func callerBlocks() {
    guard Self.mark.value.isWorker else { return }
    let help = state.withLock { state -> Help in
      guard state.pending > state.waking else { return .none }
      guard state.idle > state.waking else { return state.watch() ? .watch : .none }
      state.waking += 1
      return .wake
    }
    act(on: help)
  }

  private func act(on help: Help) {
    switch help {
    case .none: break
    case .wake: wakeUp.signal()
    case .start: startThread()
    case .watch: Pulse.shared.watch(self)
    }
  }

  private func startThread() {
    let isStarted = NativeThread.start("taskig.worker") { [self] in
      let thread = SystemThread.current
      Self.mark.value.isWorker = true
      state.withLock { state in
        state.arriving -= 1
        if let thread { state.systemThreads.append(thread) }
      }
      while let job = next() { job.run() }
      state.withLock { state in
        if let index = state.systemThreads.firstIndex(where: { $0 == thread }) { state.systemThreads.remove(at: index) }
      }
    }
    if isStarted { return }
    // The job stays in line: a thread that we have takes it, or a beat asks for another thread.
    let watch = state.withLock { state -> Bool in
      state.threads -= 1
      state.arriving -= 1
      return state.watch()
    }
    if watch { Pulse.shared.watch(self) }
  }

  /// The next job, or `nil` if none comes for so long that the thread may end.
  private func next() -> (any WorkItem)? {
    var isLastLook = false
    var wasIdle = false
    while true {
      let (job, leave, help) = state.withLock { state -> ((any WorkItem)?, Bool, Help) in
        // In one step with the look at the line: in between, this thread would count as one that can still be woken.
        if wasIdle { state.idle -= 1 }
        if wasIdle, state.waking > 0 { state.waking -= 1 }
        if let job = state.urgentLine.popFirst() ?? state.line.popFirst() {
          state.taken += 1
          // Jobs for which nobody was woken are more than this thread's, as long as there is a processor for another.
          guard state.pending > state.waking, state.idle > state.waking, state.awake < Self.cores else {
            return (job, false, .none)
          }
          state.waking += 1
          return (job, false, .wake)
        }
        if isLastLook {
          state.threads -= 1
          return (nil, true, .none)
        }
        state.idle += 1
        return (nil, false, .none)
      }
      act(on: help)
      if job != nil || leave { return job }
      wasIdle = true
      isLastLook = wakeUp.wait(timeout: .now() + Self.patience) == .timedOut
    }
  }
}

extension Workers: PulseMember {
  func beat(after microseconds: Int) -> PulseVerdict {
    var wakes = 0
    let (threads, verdict) = state.withLock { state -> ([SystemThread]?, PulseVerdict) in
      guard state.pending > 0 else {
        state.isWatched = false
        return (nil, .done)
      }
      let stands = state.taken == state.takenAtLastBeat
      state.takenAtLastBeat = state.taken
      if stands, state.idle > 0 {
        wakes = max(0, min(state.pending, state.idle) - state.waking)
        state.waking += wakes
        return (nil, wakes > 0 ? .helped : .steady)
      }
      state.standstill = stands ? state.standstill + microseconds : 0
      // What the last help is worth shows when it has arrived; on a busy machine that takes more than a beat. And threads that
      // took many jobs may be held up for a moment, at a lock that they all want, say.
      guard stands, state.arriving == 0, state.taken < 64 || state.standstill >= state.stuck else {
        return (nil, .steady)
      }
      // The more threads there are, the longer has each of them to wait for a processor.
      let tooLong = max(Self.tooLong, state.threads * 10_000)
      return (state.standstill < tooLong ? state.systemThreads.copied() : [], .steady)
    }
    for _ in 0..<wakes { wakeUp.signal() }
    // Threads that only wait for a processor are not helped by others, unless there is a processor to spare.
    guard let threads, !threads.areRunnable(Self.cores) else { return verdict }
    return help()
  }

  private func help() -> PulseVerdict {
    let more = state.withLock { state -> Int in
      let more = min(state.pending, max(state.threads, 1))
      state.threads += more
      state.arriving += more
      state.standstill = 0
      return more
    }
    for _ in 0..<more { startThread() }
    return more > 0 ? .helped : .steady
  }
}
