import Dispatch

/// What Taskig keeps for a dispatch queue that a task names: who is on it, and which work waits for its turn.
///
/// Dispatch queues have no identity in Swift on Linux (`DispatchQueue.main === DispatchQueue.main` is false there), so the
/// lane is found through a key that is set on the queue, and lives as long as the queue does.
@usableFromInline
final class Lane: Sendable {
  private struct State {
    var line = FIFO<(number: Int, job: Job, queue: DispatchQueue)>()
    var lastNumber = 0
    var isWatched = false
    var hasFerry = false
  }

  private static let key = DispatchSpecificKey<Lane>()
  private static let mainKey = { () -> DispatchSpecificKey<Bool> in
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
  private static let making = Locked(())

  /// A key of its own, since a queue may target another: work on either is on that one too.
  private let ownKey = DispatchSpecificKey<Bool>()
  private let state = Locked(State())

  /// Whether this is the main queue.
  let isMain: Bool

  private init(_ queue: DispatchQueue) {
    isMain = queue.getSpecific(key: Self.mainKey) ?? false
    queue.setSpecific(key: ownKey, value: true)
  }

  /// The lane of `queue`, the same one each time.
  static func of(_ queue: DispatchQueue) -> Lane {
    if let lane = queue.getSpecific(key: key) { return lane }
    return making.withLock { _ in
      if let lane = queue.getSpecific(key: key) { return lane }
      let lane = Lane(queue)
      queue.setSpecific(key: key, value: lane)
      return lane
    }
  }

  /// Whether the calling thread is on this queue, or on one that targets it.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: ownKey) ?? false }

  /// Puts `job` in line on `queue`, whose lane this is: behind all that was put there before.
  func post(_ job: Job, to queue: DispatchQueue) {
    queue.async { job.run() }
    // A ferry could do nothing for the main queue, which has one thread and no other.
    if !isMain { lineUp(job, on: queue) }
  }

  private func lineUp(_ job: Job, on queue: DispatchQueue) {
    let watch = state.withLock { state -> Bool in
      while state.line.first.map({ !$0.job.isOpen }) ?? false { _ = state.line.popFirst() }
      state.lastNumber += 1
      state.line.append((state.lastNumber, job, queue))
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if watch { Pulse.shared.watch(self) }
  }
}

/// The ferry: a thread of our own that enters the queue with `sync`.
///
/// Dispatch starts only as many blocking blocks of a concurrent queue as there are cores, then one more a second. `sync`
/// runs on the thread that calls it, so a thread that we bring always gets in, where the queue's own rules allow it. At
/// most one ferry waits outside each queue: on a concurrent queue it is let in at once and sends the next, on a serial
/// queue it finds, once it is in, that the queue has done the work in the meantime.
extension Lane: PulseMember {
  func beat(after microseconds: Int) -> PulseVerdict {
    let queue = state.withLock { state -> DispatchQueue? in
      state.isWatched = false
      return Self.nextFerry(&state)
    }
    if let queue { sendFerry(to: queue) }
    return .done
  }

  private static func nextFerry(_ state: inout State) -> DispatchQueue? {
    while let first = state.line.first {
      if first.job.isOpen {
        guard !state.hasFerry else { return nil }
        state.hasFerry = true
        return first.queue
      }
      _ = state.line.popFirst()
    }
    return nil
  }

  private func sendFerry(to queue: DispatchQueue) {
    // It takes no job that is put in line after it: on a serial queue that job would overtake blocks of the user's.
    let last = state.withLock { $0.lastNumber }
    Workers.shared.submit(
      Job(on: nil, for: nil) {
        queue.sync { self.ferryArrived(upTo: last) }
      }, urgently: true)
  }

  private func ferryArrived(upTo last: Int) {
    let (job, next) = state.withLock { state -> (Job?, DispatchQueue?) in
      state.hasFerry = false
      var job: Job?
      while job == nil, let first = state.line.first, first.number <= last {
        _ = state.line.popFirst()
        if first.job.isOpen { job = first.job }
      }
      return (job, Self.nextFerry(&state))
    }
    if let next { sendFerry(to: next) }
    job?.run()
  }
}
