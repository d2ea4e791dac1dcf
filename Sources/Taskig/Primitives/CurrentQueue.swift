import Dispatch

#if !canImport(Darwin)
  import CDispatch
#endif

/// What Dispatch says about the queue that the calling thread is on.
enum CurrentQueue {
  /// Whether the calling thread is on one of the system's global queues or on no queue at all, and so keeps nobody out
  /// while it blocks.
  ///
  /// Dispatch tells nothing of a queue but its label, and reports a thread of no queue as on a global one.
  static var isShared: Bool {
    globalPrefix.withUTF8Buffer { prefix in
      let label = UnsafeRawPointer(self.label).assumingMemoryBound(to: UInt8.self)
      return prefix.indices.allSatisfy { label[$0] == prefix[$0] }
    }
  }

  /// Whether `queue` is one of the system's global queues.
  static func isGlobal(_ queue: DispatchQueue) -> Bool { queue.label.hasPrefix("\(globalPrefix)") }

  private static let globalPrefix: StaticString = "com.apple.root."

  /// The label of the queue that the calling thread is on.
  static var name: String { String(cString: label) }

  private static var label: UnsafePointer<CChar> {
    #if canImport(Darwin)
      __dispatch_queue_get_label(nil)
    #else
      dispatch_queue_get_label(nil)
    #endif
  }
}
