import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// Hears of an answer while it comes, and calls its request off.
  ///
  /// The session's `async` functions do not say which task is theirs, and to cancel the Swift task that awaits them is out of the
  /// question: up to Swift 6.3.1, that stops the session for good if the answer comes at the same moment. So the request carries
  /// a mark, by which its task is found among the session's. The mark is a fragment of the main document's URL, which no server
  /// sees, and which changes nothing about whose cookies are taken.
  final class TransferWatch: NSObject, URLSessionDataDelegate {
    private struct State {
      var received: Int64 = 0
      var expected: Int64?
      var isCalledOff = false
      var isOver = false
    }

    /// The request to send.
    let request: URLRequest
    private let mark = "taskig-" + UUID().uuidString
    private let session: URLSession
    private let reporter: ProgressReporter?
    private let refusal = SilentRefusal()
    private let state = Locked(State())

    init(_ request: URLRequest, in session: URLSession, _ reporter: ProgressReporter?) {
      var marked = request
      let document = (request.mainDocumentURL ?? request.url)?.absoluteString ?? ""
      marked.mainDocumentURL = URL(string: document.prefix { $0 != "#" } + "#" + mark)
      self.request = marked
      self.session = session
      self.reporter = reporter
    }

    /// Whether nobody waits for the answer any more.
    var isCalledOff: Bool { state.withLock { $0.isCalledOff } }

    /// The answer that has been taken for all of it, if Foundation has not come to its end.
    var refusedAnswer: (Data, URLResponse)? { refusal.answer }

    /// Ends the request, now or as soon as it has begun; returns at once.
    func callOff() {
      state.withLock { $0.isCalledOff = true }
      search()
    }

    /// Looks for the task among those of the session, until it has been found or has ended.
    private func search() {
      if state.withLock({ $0.isOver }) { return }
      session.getAllTasks { tasks in
        if let task = tasks.first(where: { $0.originalRequest?.mainDocumentURL?.fragment == self.mark }) {
          task.cancel()
        } else {
          Delay.run(after: 0.01) { self.search() }
        }
      }
    }

    /// The request has ended.
    func stop() {
      state.withLock { $0.isOver = true }
      refusal.stop()
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      completionHandler(.allow)
      guard let response = response as? HTTPURLResponse else { return }
      let expected = response.expectedCount
      state.withLock { ($0.received, $0.expected) = (0, expected) }
      reporter?.report(TransferProgress(received: 0, expected: expected))
      refusal.hear(response, to: dataTask, in: session)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let progress = state.withLock { state in
        state.received += Int64(data.count)
        return TransferProgress(received: state.received, expected: state.expected)
      }
      reporter?.report(progress)
      refusal.hear(data, to: dataTask)
    }
  }

#else

  /// Hears of an answer while it comes, and calls its request off.
  final class TransferWatch: NSObject, URLSessionTaskDelegate {
    private struct State {
      var task: URLSessionTask?
      var observation: NSKeyValueObservation?
      var isCalledOff = false
    }

    /// The request to send.
    let request: URLRequest
    private let reporter: ProgressReporter?
    private let state = Locked(State())

    init(_ request: URLRequest, in session: URLSession, _ reporter: ProgressReporter?) {
      self.request = request
      self.reporter = reporter
    }

    /// Whether nobody waits for the answer any more.
    var isCalledOff: Bool { state.withLock { $0.isCalledOff } }

    /// Ends the request, now or as soon as it has begun; returns at once.
    func callOff() {
      let task = state.withLock { state in
        state.isCalledOff = true
        return state.task
      }
      task?.cancel()
    }

    /// The request has ended.
    func stop() {
      let observation = state.withLock { state in
        state.task = nil
        return state.observation.take()
      }
      observation?.invalidate()
    }

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
      let observation = reporter.map { reporter in
        task.observe(\.countOfBytesReceived) { task, _ in
          let expected = (task.response as? HTTPURLResponse)?.expectedCount
          reporter.report(TransferProgress(received: task.countOfBytesReceived, expected: expected))
        }
      }
      let isCalledOff = state.withLock { state in
        (state.task, state.observation) = (task, observation)
        return state.isCalledOff
      }
      if isCalledOff { task.cancel() }
    }
  }
#endif
