import Dispatch

/// A queue of a test's own that can tell whether the calling thread is on it.
struct NamedQueue: Sendable {
  private static let key = DispatchSpecificKey<String>()
  let queue: DispatchQueue

  init(_ name: String, attributes: DispatchQueue.Attributes = []) {
    queue = DispatchQueue(label: name, attributes: attributes)
    queue.setSpecific(key: Self.key, value: name)
  }

  /// The name of the queue that the calling thread is on; traps if Dispatch does not agree.
  func nameHere() -> String? {
    dispatchPrecondition(condition: .onQueue(queue))
    return DispatchQueue.getSpecific(key: Self.key)
  }
}

/// True; traps if the calling thread is not on the main queue. In an exit test that is not the process's main thread.
func isOnMain() -> Bool {
  dispatchPrecondition(condition: .onQueue(.main))
  return true
}
