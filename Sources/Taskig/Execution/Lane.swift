import Dispatch

/// A dispatch queue as Taskig tells it from others, and tells who is on it.
final class Lane: Sendable {
  private static let lanes = QueueLocal { queue in
    Lane(queue)
  } afterwards: {
    wakeStrays()
  }

  /// The waits of threads on queues that Taskig has had nothing to do with.
  private static let strays = Locked<[ObjectIdentifier: Waiter]>([:])
  private static let mainKey = { () -> DispatchSpecificKey<Bool> in
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private static let innermostKey = DispatchSpecificKey<Lane>()

  /// The queue that the calling thread is on, if Taskig has had to do with it before.
  static var current: Lane? { DispatchQueue.getSpecific(key: innermostKey) }

  /// A key for each lane, not one for all: a queue may target another, and work on it is then on both.
  private let key = DispatchSpecificKey<Bool>()

  /// Whether this is the main queue.
  let isMain: Bool

  /// The jobs that wait for their turn.
  let line: Line

  /// The label of a global queue; `nil` for a queue that somebody made.
  private let globalLabel: String?

  private init(_ queue: DispatchQueue) {
    globalLabel = CurrentQueue.isGlobal(queue) ? queue.label : nil
    isMain = queue.getSpecific(key: Self.mainKey) ?? false
    line = Line(isMain: isMain)
    queue.setSpecific(key: key, value: true)
    if globalLabel == nil { queue.setSpecific(key: Self.innermostKey, value: self) }
  }

  /// The main queue's.
  static let main = of(.main)

  /// Has `waiter`, whose thread is on a queue without a lane, look again each time that a lane is made, since it may be that
  /// queue's: only on the queue itself can that be told.
  static func addStray(_ waiter: Waiter) {
    strays.withLock { $0[ObjectIdentifier(waiter)] = waiter }
  }

  static func removeStray(_ waiter: Waiter) {
    strays.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(waiter)) }
  }

  private static func wakeStrays() {
    for waiter in strays.withLock({ Array($0.values) }) { waiter.wake() }
  }

  /// The lane of `queue`, the same one each time.
  static func of(_ queue: DispatchQueue) -> Lane { lanes[queue] }

  /// Whether the system has other threads for this queue.
  var isGlobal: Bool { globalLabel != nil }

  /// Whether the calling thread is on this queue, or on one that targets it.
  ///
  /// Every queue targets a global one in the end. Work for a global queue can run there at any time, so being on another
  /// queue does not count as being there.
  var isCurrent: Bool {
    guard DispatchQueue.getSpecific(key: key) ?? false else { return false }
    return globalLabel.map { $0 == CurrentQueue.name } ?? true
  }
}
