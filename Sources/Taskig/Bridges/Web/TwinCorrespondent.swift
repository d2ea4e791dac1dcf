#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// The delegate of a twin session: hands on to each transfer what is about it, and asks the user's delegate.
  final class TwinCorrespondent: NSObject, URLSessionDataDelegate {
    /// Where the session tells of answers.
    let queue = DeliveryQueue()
    /// Where requests are sent, one after the other.
    private let sending = DispatchQueue(label: "taskig.requests")
    private let legs = Locked<[Int: TwinLeg]>([:])

    /// Sends the request of `leg`, soon.
    ///
    /// Foundation blocks in that as long as much comes for other requests. On the queue of answers, all of that would pile up there.
    func begin(_ leg: TwinLeg, in session: URLSession) {
      sending.async { [self] in
        guard leg.transfer.isOpen else { return }
        let task = session.dataTask(with: leg.request)
        leg.sent.withLock { $0 = task }
        legs.withLock { $0[task.taskIdentifier] = leg }
        task.resume()
        // It may have been called off before there was anything to cancel.
        if !leg.transfer.isOpen { cancel(leg) }
      }
    }

    /// Cancels what `leg` has on its way, in turn with the answers: to cancel a request while it ends by itself would stop the program.
    func cancel(_ leg: TwinLeg) {
      queue.addOwn { leg.sent.withLock { $0 }?.cancel() }
    }

    /// The transfer that `task` is for, as long as somebody waits for it.
    private func transfer(of task: URLSessionTask) -> Transfer? {
      guard let transfer = legs.withLock({ $0[task.taskIdentifier] })?.transfer else { return nil }
      return transfer.isOpen ? transfer : nil
    }

    /// The leg that `task` is for, which hears no more of it, as long as somebody waits.
    private func takeLeg(of task: URLSessionTask) -> TwinLeg? {
      guard transfer(of: task) != nil else { return nil }
      return legs.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      queue.lettingPass {
        transfer(of: dataTask)?.urlSession(
          session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
      }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard let transfer = transfer(of: dataTask) else { return }
      if !transfer.take(data) { queue.lettingPass { dataTask.cancel() } }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let leg = legs.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      leg?.transfer.urlSession(session, task: task, didCompleteWithError: error)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      // Foundation stops the program that answers what it does not ask any more, since the request has been called off.
      guard let leg = takeLeg(of: task) else { return }
      leg.sent.withLock { $0 = nil }
      // Nor can it be left waiting: it gives up after a while, without a word, and stops the program that answers then. It would
      // send no body again either. So for Foundation the request ends here, and the next one is ours.
      queue.lettingPass { completionHandler(nil) }
      // A delegate that answers twice is heard once.
      let asking = Locked<TwinLeg?>(leg)
      let go = { @Sendable [self] (request: URLRequest?) in
        guard let leg = asking.withLock({ $0.take() }) else { return }
        queue.addOwn {
          guard let request else { return leg.transfer.take(response) }
          do {
            self.begin(try leg.next(request), in: session)
          } catch {
            leg.transfer.fail(error)
          }
        }
      }
      guard let request = leg.redirected(request, by: response) else { return go(nil) }
      let original = leg.transfer.session
      guard let delegate = original.delegate as? any URLSessionTaskDelegate else { return go(request) }
      original.delegateQueue.addOperation {
        delegate.urlSession(
          original, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: go)
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard let transfer = transfer(of: task) else { return }
      let answer = { @Sendable [self] (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?) in
        queue.addOwn { [self] in
          guard self.transfer(of: task) != nil, task.error == nil else { return }
          switch disposition {
          case .useCredential where credential != nil, .cancelAuthenticationChallenge:
            completionHandler(disposition, credential)
          case .performDefaultHandling where challenge.proposedCredential != nil:
            completionHandler(disposition, nil)
          default:
            // Foundation would do nothing at all. The refusal is an answer, and has come.
            self.takeLeg(of: task)?.transfer.takeAsItIs()
            completionHandler(.cancelAuthenticationChallenge, nil)
          }
        }
      }
      let original = transfer.session
      guard let delegate = original.delegate as? any URLSessionTaskDelegate else {
        return answer(.performDefaultHandling, nil)
      }
      original.delegateQueue.addOperation {
        delegate.urlSession(original, task: task, didReceive: challenge, completionHandler: answer)
      }
    }
  }
#endif
