import Dispatch
import Synchronization

/// One object for each dispatch queue, made when it is first asked for, which lives as long as the queue does.
///
/// A dictionary by identity would not do: on Linux, queues have none (`DispatchQueue.main === DispatchQueue.main` is false
/// there), and it would never know when to let go.
final class QueueLocal<Object: AnyObject & Sendable>: Sendable {
  private let key = DispatchSpecificKey<Object>()
  private let make: @Sendable (DispatchQueue) -> Object
  private let afterwards: @Sendable () -> Void
  private let making = Locked(0)

  /// How many objects have been made.
  ///
  /// Only the order counts: an object is made before it is counted, counted before it is
  /// found, and found before the count is read. Dispatch sees to the same with a lock, but ThreadSanitizer does not look
  /// into Dispatch.
  private let made = Atomic(0)

  /// Makes none yet; `afterwards` is called when one has been made and can be found, with no lock held.
  init(_ make: @escaping @Sendable (DispatchQueue) -> Object, afterwards: @escaping @Sendable () -> Void = {}) {
    self.make = make
    self.afterwards = afterwards
  }

  /// The object of `queue`, the same one each time.
  subscript(queue: DispatchQueue) -> Object {
    if let object = find(queue) { return object }
    let (object, isNew) = making.withLock { count -> (Object, Bool) in
      if let object = find(queue) { return (object, false) }
      let object = make(queue)
      count += 1
      made.store(count, ordering: .releasing)
      queue.setSpecific(key: key, value: object)
      return (object, true)
    }
    if isNew { afterwards() }
    return object
  }

  private func find(_ queue: DispatchQueue) -> Object? {
    guard let object = queue.getSpecific(key: key) else { return nil }
    _ = made.load(ordering: .acquiring)
    return object
  }
}
