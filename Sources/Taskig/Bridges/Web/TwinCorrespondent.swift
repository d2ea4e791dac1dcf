#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// The delegate of a twin session: hands on to each transfer what is about it, and asks the user's delegate.
  final class TwinCorrespondent: NSObject, URLSessionDataDelegate {
    private let transfers = Locked<[Int: Transfer]>([:])

    func add(_ transfer: Transfer, for task: URLSessionTask) {
      transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    private func transfer(of task: URLSessionTask) -> Transfer? {
      transfers.withLock { $0[task.taskIdentifier] }
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
      let transfer = transfer(of: task)
      // What is to be sent again as it is, Foundation would send without its body. The answer that says so is better than that.
      if response.statusCode == 307 || response.statusCode == 308, transfer?.hasBody == true {
        return completionHandler(nil)
      }
      let request = Self.redirected(request, by: response, session.configuration)
      guard let original = transfer?.session, let delegate = original.delegate as? any URLSessionTaskDelegate else {
        return completionHandler(request)
      }
      original.delegateQueue.addOperation {
        delegate.urlSession(
          original, task: task, willPerformHTTPRedirection: response, newRequest: request,
          completionHandler: completionHandler)
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
      if url.host != response.url?.host {
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
      let transfer = transfer(of: task)
      let answer = { @Sendable (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?) in
        session.delegateQueue.addOperation {
          switch disposition {
          case .useCredential where credential != nil, .cancelAuthenticationChallenge:
            completionHandler(disposition, credential)
          case .performDefaultHandling where challenge.proposedCredential != nil:
            completionHandler(disposition, nil)
          default:
            // Foundation would do nothing at all. The refusal is an answer, and has come.
            transfer?.takeAsItIs()
            completionHandler(.cancelAuthenticationChallenge, nil)
          }
        }
      }
      guard let original = transfer?.session, let delegate = original.delegate as? any URLSessionTaskDelegate else {
        return answer(.performDefaultHandling, nil)
      }
      original.delegateQueue.addOperation {
        delegate.urlSession(original, task: task, didReceive: challenge, completionHandler: answer)
      }
    }
  }
#endif
