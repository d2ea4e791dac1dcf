import Dispatch

/// One object for each dispatch queue, made when it is first asked for, which lives as long as the queue does.
///
/// A dictionary by identity would not do: on Linux, queues have none (`DispatchQueue.main === DispatchQueue.main` is false
/// there), and it would never know when to let go.
struct QueueLocal<Object: AnyObject & Sendable>: Sendable {
  private let key = DispatchSpecificKey<Object>()
  private let make: @Sendable (DispatchQueue) -> Object
  private let making = Locked(())

  init(_ make: @escaping @Sendable (DispatchQueue) -> Object) {
    self.make = make
  }

  /// The object of `queue`, the same one each time.
  subscript(queue: DispatchQueue) -> Object {
    if let object = queue.getSpecific(key: key) { return object }
    return making.withLock { _ in
      if let object = queue.getSpecific(key: key) { return object }
      let object = make(queue)
      queue.setSpecific(key: key, value: object)
      return object
    }
  }
}
