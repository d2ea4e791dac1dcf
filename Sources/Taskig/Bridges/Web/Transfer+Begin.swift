import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Transfer {
  /// Sends the request, and returns what takes it back: that may be called from anywhere, and returns at once.
  func begin() -> @Sendable () -> Void {
    do {
      try request.requireWebAddress()
      // The body need not come for it to be found that there is no place for it.
      if let destination { try PartialFile.requirePlace(for: destination) }
    } catch {
      end(.failure(error))
      return {}
    }
    let cancel = send()
    return { [self] in
      end(.failure(CancellableTaskError.taskWasCancelled))
      cancel()
    }
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
