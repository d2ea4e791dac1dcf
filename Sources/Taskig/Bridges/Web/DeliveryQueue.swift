#if canImport(FoundationNetworking)
  import Foundation

  /// The queue on which a twin session tells of answers, which lets the session wait as long as the disk does not keep up with it.
  ///
  /// Foundation on Linux reads as fast as it can, puts what it has read here, and cannot be told to pause: to suspend its task stops
  /// the program. So it waits where it puts a piece, and what is not read meanwhile holds up the server.
  final class DeliveryQueue: OperationQueue, @unchecked Sendable {
    // because what it adds to its superclass is only touched while the condition's lock is held, or never changes.
    private let condition = NSCondition()
    private var pieces = 0
    /// Whether something is done now that may itself wait for the session's thread.
    private var mustLetPass = false
    private let limit: Int
    private let patience: TimeInterval

    /// A queue with no more than `limit` pieces, of up to 16 KiB each, before the session waits for half of them to be gone; for each
    /// piece no longer than `patience`, in seconds: a disk that hangs must not stop all else that the session does, such as heeding
    /// time limits.
    init(limit: Int = 128, patience: TimeInterval = 1) {
      (self.limit, self.patience) = (limit, patience)
      super.init()
      name = "taskig.transfers"
      maxConcurrentOperationCount = 1
    }

    /// Adds what the session tells; waits if there is too much.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      condition.withLock {
        if pieces >= limit {
          let end = Date(timeIntervalSinceNow: patience)
          while pieces > limit / 2, !mustLetPass, condition.wait(until: end) {}
        }
        pieces += 1
      }
      super.addOperation { [self] in
        block()
        change { $0.pieces -= 1 }
      }
    }

    /// Adds something of ours, in turn with what the session tells, which may wait for the session; never waits.
    func addOwn(_ block: @escaping @Sendable () -> Void) {
      super.addOperation { [self] in lettingPass(block) }
    }

    /// Does `body`, which may wait for the session; on this queue.
    ///
    /// If the session waited too, it would be for ever. So all that comes meanwhile piles up here, and little should be done so.
    func lettingPass(_ body: () -> Void) {
      change { $0.mustLetPass = true }
      body()
      change { $0.mustLetPass = false }
    }

    private func change(_ body: (DeliveryQueue) -> Void) {
      condition.withLock {
        body(self)
        if mustLetPass || pieces <= limit / 2 { condition.signal() }
      }
    }
  }
#endif
