import Dispatch

/// The jobs that wait for their turn on a dispatch queue, and the ferry that brings threads to it.
///
/// Dispatch starts only as many blocking blocks of a concurrent queue as there are cores, then one more a second. `sync`
/// runs its block on the thread that calls it, so a thread that we bring, the ferry, always gets in, where the queue's own
/// rules allow it. At most one ferry waits outside each queue: on a concurrent queue it is let in at once and sends the
/// next, on a serial queue it finds, once it is in, that the queue has done the work in the meantime.
///
/// Nothing says of a queue whether it is serial, so both kinds are treated alike.
final class Line: Sendable {
  private struct State {
    var jobs = FIFO<(number: Int, job: Job, queue: DispatchQueue)>()
    var lastNumber = 0
    var isWatched = false
    var hasFerry = false

    /// Forgets the jobs at the front that have been taken in the meantime.
    mutating func dropTaken() {
      while let first = jobs.first, !first.job.isOpen { _ = jobs.popFirst() }
    }

    /// The queue that a ferry should go to, which is then on its way.
    mutating func nextFerry() -> DispatchQueue? {
      dropTaken()
      guard let first = jobs.first, !hasFerry else { return nil }
      hasFerry = true
      return first.queue
    }
  }

  private static let lines = QueueLocal { _ in Line() }
  private let state = Locked(State())

  /// The line of `queue`, the same one each time.
  static func of(_ queue: DispatchQueue) -> Line { lines[queue] }

  /// Puts `job` in line on `queue`, behind all that was put there before.
  static func post(_ job: Job, to queue: DispatchQueue) {
    queue.async { job.run() }
    // A ferry could do nothing for the main queue, which has one thread and no other.
    if job.lane?.isMain != true { of(queue).append(job, queue) }
  }

  private func append(_ job: Job, _ queue: DispatchQueue) {
    let watch = state.withLock { state -> Bool in
      state.dropTaken()
      state.lastNumber += 1
      state.jobs.append((state.lastNumber, job, queue))
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if watch { Pulse.shared.watch(self) }
  }

  private func sendFerry(to queue: DispatchQueue) {
    // It takes no job that is put in line after it: on a serial queue that job would overtake blocks of the user's.
    let last = state.withLock { $0.lastNumber }
    let ferry = Job(on: nil, for: nil) { [self] in
      queue.sync { ferryArrived(upTo: last) }
    }
    Workers.shared.submit(ferry, urgently: true)
  }

  private func ferryArrived(upTo last: Int) {
    let (job, next) = state.withLock { state -> (Job?, DispatchQueue?) in
      state.hasFerry = false
      var job: Job?
      while job == nil, let first = state.jobs.first, first.number <= last {
        _ = state.jobs.popFirst()
        if first.job.isOpen { job = first.job }
      }
      return (job, state.nextFerry())
    }
    if let next { sendFerry(to: next) }
    job?.run()
  }
}

extension Line: PulseMember {
  func beat(after microseconds: Int) -> PulseVerdict {
    let queue = state.withLock { state -> DispatchQueue? in
      state.isWatched = false
      return state.nextFerry()
    }
    if let queue { sendFerry(to: queue) }
    return .done
  }
}
