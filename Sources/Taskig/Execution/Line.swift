import Dispatch

/// The jobs that wait for their turn on a dispatch queue, and the ferry that brings threads to it.
///
/// Dispatch starts only as many blocking blocks of a concurrent queue as there are cores, then one more a second. `sync`
/// runs its block on the thread that calls it, so a thread that we bring, the ferry, always gets in, where the queue's own
/// rules allow it. At most one ferry waits outside each queue: on a concurrent queue it is let in at once and sends the
/// next, on a serial queue it finds, once it is in, that the queue has done the work in the meantime.
///
/// Nothing says of a queue whether it is serial, so both kinds are treated alike.
///
/// It also knows who waits in line and who, while it holds the queue, waits for something else. Where the queue does stand
/// still, the former wait for the latter, whatever brought them together, and each of the latter is told so.
final class Line: Sendable {
  private typealias Parked = (waiter: Waiter, outer: Waiter?)
  private typealias Blocked = (waiter: Waiter, by: any QueuedWork, holders: [Parked])

  private enum FerryState: Equatable {
    case none
    case onItsWay
    /// It has been waiting to be let in for so many microseconds.
    case outside(Int)
  }

  private struct State {
    let isMain: Bool
    var jobs = FIFO<(number: Int, job: any QueuedWork, queue: DispatchQueue)>()
    var lastNumber = 0
    var isWatched = false
    var ferry = FerryState.none
    /// The first in line when the ferry was sent.
    var firstAtFerry = 0
    /// The awaits whose jobs are in line, each with how many, and the last, which is there longest.
    var queueing: [ObjectIdentifier: (waiter: Waiter, jobs: Int, last: any QueuedWork)] = [:]
    /// The awaits on threads that hold the queue.
    var parked: [Parked] = []

    /// Forgets the jobs at the front that have been taken in the meantime.
    mutating func dropTaken() {
      while let first = jobs.first, !first.job.isOpen { _ = jobs.popFirst() }
    }

    /// The queue that a ferry should go to, which is then on its way.
    mutating func nextFerry() -> DispatchQueue? {
      dropTaken()
      // A ferry could do nothing for the main queue, which has one thread and no other.
      guard !isMain, ferry == .none, let first = jobs.first else { return nil }
      ferry = .onItsWay
      firstAtFerry = first.number
      return first.queue
    }

    /// Who is in line, with one of the jobs there, and who holds the queue meanwhile.
    var blocked: [Blocked] {
      queueing.values.compactMap { entry in
        // The last may have been lent to before its turn.
        let work =
          entry.last.isOpen ? entry.last : jobs.first(where: { $0.job.isOpen && $0.job.waiter === entry.waiter })?.job
        return work.map { (entry.waiter, $0, parked) }
      }
    }

    /// Whether the pulse has to be asked to watch the line, which it is to from now on.
    mutating func watch() -> Bool {
      defer { isWatched = true }
      return !isWatched
    }
  }

  private let state: Locked<State>

  /// Makes an empty line; `isMain` tells whether it is the main queue's.
  init(isMain: Bool) {
    state = Locked(State(isMain: isMain))
  }

  /// Notes that `job` is in line on `queue`, behind all that was put there before.
  func append(_ job: any QueuedWork, on queue: DispatchQueue) {
    let watch = state.withLock { state -> Bool in
      state.dropTaken()
      state.lastNumber += 1
      state.jobs.append((state.lastNumber, job, queue))
      if let waiter = job.waiter {
        let jobs = state.queueing[ObjectIdentifier(waiter)]?.jobs ?? 0
        state.queueing[ObjectIdentifier(waiter)] = (waiter, jobs + 1, job)
      }
      return state.watch()
    }
    if watch { Pulse.shared.watch(self) }
  }

  /// Notes that `job`, which was in line, has been taken.
  func left(by job: any QueuedWork) {
    guard let waiter = job.waiter else { return }
    state.withLock { state in
      let id = ObjectIdentifier(waiter)
      state.queueing[id]?.jobs -= 1
      if state.queueing[id]?.jobs == 0 { state.queueing[id] = nil }
    }
  }

  /// Notes that a thread that holds the queue waits with `waiter`; what it waited for further out than `outer` it did before
  /// it came to hold the queue.
  func park(_ waiter: Waiter, within outer: Waiter?) {
    let watch = state.withLock { state -> Bool in
      state.parked.append((waiter, outer))
      return !state.queueing.isEmpty && state.watch()
    }
    if watch { Pulse.shared.watch(self) }
  }

  /// Notes that a thread that holds the queue waits with `waiter` no longer.
  func unpark(_ waiter: Waiter) {
    state.withLock { state in
      if let index = state.parked.lastIndex(where: { $0.waiter === waiter }) { state.parked.remove(at: index) }
    }
  }

  private func sendFerry(to queue: DispatchQueue) {
    // It takes no job that is put in line after it: on a serial queue that job would overtake blocks of the user's.
    let last = state.withLock { $0.lastNumber }
    let ferry = Ferry { [self] in
      state.withLock { $0.ferry = .outside(0) }
      queue.sync { ferryArrived(upTo: last) }
    }
    Workers.shared.submit(ferry, .urgent)
  }

  private func ferryArrived(upTo last: Int) {
    let (job, next, watch) = state.withLock { state -> ((any QueuedWork)?, DispatchQueue?, Bool) in
      state.ferry = .none
      state.dropTaken()
      // Where the queue gets on by itself, another ferry would only be in its way. The next beat sees whether it still does.
      let getsOn = state.jobs.first?.number != state.firstAtFerry
      var job: (any QueuedWork)?
      while job == nil, let first = state.jobs.first, first.number <= last {
        _ = state.jobs.popFirst()
        if first.job.isOpen { job = first.job }
      }
      if getsOn { return (job, nil, !state.jobs.isEmpty && state.watch()) }
      return (job, state.nextFerry(), false)
    }
    if let next { sendFerry(to: next) }
    if watch { Pulse.shared.watch(self) }
    job?.run()
  }
}

extension Line: PulseMember {
  /// Microseconds after which a queue that has not let a ferry in is taken to stand still; a concurrent one lets it in at once.
  private static let tooLong = 2_000

  func beat(after microseconds: Int) -> PulseVerdict {
    let (ferry, blocked, verdict) = state.withLock {
      state -> (DispatchQueue?, [Blocked], PulseVerdict) in
      let ferry = state.nextFerry()
      state.isWatched = !state.queueing.isEmpty && !state.parked.isEmpty
      guard state.isWatched else { return (ferry, [], .done) }
      var standsStill = state.isMain
      if case .outside(let waited) = state.ferry {
        state.ferry = .outside(waited + microseconds)
        standsStill = waited > Self.tooLong
      }
      guard standsStill else { return (ferry, [], .steady) }
      return (ferry, state.blocked, .steady)
    }
    if let ferry { sendFerry(to: ferry) }
    var isLent = false
    for (waiter, work, holders) in blocked {
      for holder in holders where holder.waiter.block(waiter, by: work, upTo: holder.outer) { isLent = true }
    }
    return isLent ? .helped : verdict
  }
}

/// A worker's way to a queue.
private final class Ferry: WorkItem {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  func run() { body() }
}
