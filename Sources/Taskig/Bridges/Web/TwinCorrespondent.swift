#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// The delegate of a twin session: hands on to each transfer what is about it, and asks the user's delegate.
  final class TwinCorrespondent: NSObject, URLSessionDataDelegate {
    private let transfers = Locked<[Int: Transfer]>([:])

    func add(_ transfer: Transfer, for task: URLSessionTask) {
      transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    /// The transfer that `task` is for, as long as somebody waits for it and nothing has ended the task.
    private func transfer(of task: URLSessionTask) -> Transfer? {
      guard let transfer = transfers.withLock({ $0[task.taskIdentifier] }) else { return nil }
      return transfer.isOpen && task.error == nil ? transfer : nil
    }

    /// Hands an answer on to Foundation, in turn with cancelling, unless the task has ended: Foundation stops the program that answers
    /// what it does not ask any more.
    private func reply(to task: URLSessionTask, of session: URLSession, _ answer: @escaping @Sendable () -> Void) {
      session.delegateQueue.addOperation { [self] in
        if transfer(of: task) != nil { answer() }
      }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      transfer(of: dataTask)?.urlSession(
        session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      transfer(of: dataTask)?.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      transfer?.urlSession(session, task: task, didCompleteWithError: error)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      guard let transfer = transfer(of: task) else { return }
      // What is to be sent again as it is, Foundation would send without its body. The answer that says so is better than that.
      if response.statusCode == 307 || response.statusCode == 308, transfer.hasBody { return completionHandler(nil) }
      let request = Self.redirected(request, by: response, session.configuration)
      let original = transfer.session
      guard let delegate = original.delegate as? any URLSessionTaskDelegate else { return completionHandler(request) }
      original.delegateQueue.addOperation { [self] in
        delegate.urlSession(
          original, task: task, willPerformHTTPRedirection: response, newRequest: request
        ) { [self] request in
          reply(to: task, of: session) { completionHandler(request) }
        }
      }
    }

    /// The request with the cookies that its new place has by now, and without what only the old one was to know.
    ///
    /// Foundation sees to neither where a delegate is asked.
    private static func redirected(
      _ request: URLRequest, by response: HTTPURLResponse,
      _ configuration: URLSessionConfiguration
    ) -> URLRequest {
      guard let url = request.url else { return request }
      var request = request
      if url.origin != response.url?.origin {
        for secret in ["Authorization", "Cookie"] { request.setValue(nil, forHTTPHeaderField: secret) }
      }
      guard configuration.httpShouldSetCookies, request.httpShouldHandleCookies,
        let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
      else { return request }
      for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
        request.setValue(value, forHTTPHeaderField: name)
      }
      return request
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard let transfer = transfer(of: task) else { return }
      let answer = { @Sendable [self] (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?) in
        reply(to: task, of: session) { [self] in
          switch disposition {
          case .useCredential where credential != nil, .cancelAuthenticationChallenge:
            completionHandler(disposition, credential)
          case .performDefaultHandling where challenge.proposedCredential != nil:
            completionHandler(disposition, nil)
          default:
            // Foundation would do nothing at all. The refusal is an answer, and has come.
            transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.takeAsItIs()
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

  extension URL {
    /// Where a secret that was meant for this URL may be told: the way, the host and the port.
    fileprivate var origin: [String?] {
      let scheme = scheme?.lowercased()
      return [scheme, host?.lowercased(), "\(port ?? (scheme == "https" ? 443 : 80))"]
    }
  }
#endif
