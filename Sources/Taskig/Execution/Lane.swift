import Dispatch

/// A dispatch queue as Taskig tells it from others, and tells who is on it.
final class Lane: Sendable {
  private static let lanes = QueueLocal { queue in Lane(queue) }
  private static let mainKey = { () -> DispatchSpecificKey<Bool> in
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// A key for each lane, not one for all: a queue may target another, and work on it is then on both.
  private let key = DispatchSpecificKey<Bool>()

  /// Whether this is the main queue.
  let isMain: Bool

  private init(_ queue: DispatchQueue) {
    isMain = queue.getSpecific(key: Self.mainKey) ?? false
    queue.setSpecific(key: key, value: true)
  }

  /// The lane of `queue`, the same one each time.
  static func of(_ queue: DispatchQueue) -> Lane { lanes[queue] }

  /// Whether the calling thread is on this queue, or on one that targets it.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
