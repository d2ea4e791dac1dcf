import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Transfer {
  /// Sends the request of the task whose action this is called in, and takes it back when that is cancelled.
  func begin() {
    do {
      try request.requireWebAddress()
      // The body need not come for it to be found that there is no place for it.
      if let destination { try PartialFile.requirePlace(for: destination) }
    } catch {
      return end(.failure(error))
    }
    let takeBack = Locked<(@Sendable () -> Void)?>(nil)
    // Before it is sent: who hears of the answer may cancel.
    Task.onCancel { [self] in
      end(.failure(CancellableTaskError.taskWasCancelled))
      takeBack.withLock { $0 }?()
    }
    guard isOpen else { return }
    let sent = send()
    takeBack.withLock { $0 = sent }
    // It may have been called off before there was anything to take back.
    if !isOpen { sent() }
  }

  #if canImport(FoundationNetworking)
    private func send() -> @Sendable () -> Void { TwinSession.of(session).send(self) }
  #else
    private func send() -> @Sendable () -> Void {
      requireAnswers()
      let task = session.dataTask(with: request)
      task.delegate = self
      task.resume()
      return { task.cancel() }
    }

    /// Stops the program if the session tells of the answer on the main queue, and the main thread waits for that.
    ///
    /// Only where it is certain: `awaitFirst` may end with another task, and a wait in a run loop lets the main queue go on.
    private func requireAnswers() {
      let thread = ThreadContext.current
      guard thread.isMain, thread.waitsForTop, session.delegateQueue === OperationQueue.main else { return }
      trap(
        "The main thread waits for a request of a session whose delegate queue is the main one.",
        consequence: "The session could never tell it of the answer.",
        remedy:
          "Make the session with delegateQueue: nil, await in the run loop with awaitInRunLoop(), or await on another thread.",
        at: site)
    }
  #endif
}
