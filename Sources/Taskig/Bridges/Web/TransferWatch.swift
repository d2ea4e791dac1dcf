import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// Hears of an answer while it comes, and ends one that Foundation leaves hanging.
  ///
  /// Up to Swift 6.3.1, Foundation on Linux does not end a request that is answered with 401 and asks for a name and a password
  /// which nobody has. So silence after a 401 is taken for its end: after a second if nobody is there to be asked, or else after
  /// as long as the request may be idle.
  final class TransferWatch: NSObject, URLSessionDataDelegate {
    private struct State {
      var received: Int64 = 0
      var response: HTTPURLResponse?
      /// What has come of a 401's body.
      var body = Data()
      var patience: TimeInterval?
      var silence: Delay?
      /// How often the silence has been broken.
      var breaks = 0
      var isRefused = false
      var isOver = false
    }

    private let reporter: ProgressReporter?
    private let request: URLRequest
    private let state = Locked(State())

    init(_ reporter: ProgressReporter?, _ request: URLRequest) {
      self.reporter = reporter
      self.request = request
    }

    /// The answer that was taken to have ended, if one was.
    var refusal: (Data, URLResponse)? {
      state.withLock { state in
        guard state.isRefused, let response = state.response else { return nil }
        return (state.body, response)
      }
    }

    /// The request has ended.
    func stop() {
      let silence = state.withLock { state in
        state.isOver = true
        return state.silence.take()
      }
      silence?.cancel()
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      completionHandler(.allow)
      guard let response = response as? HTTPURLResponse else { return }
      let patience = response.statusCode == 401 ? self.patience(session, response) : nil
      state.withLock { state in
        state.received = 0
        state.response = response
        state.body = Data()
        state.patience = patience
      }
      reporter?.report(TransferProgress(received: 0, expected: response.expectedCount))
      listenForSilence(dataTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let progress = state.withLock { state in
        state.received += Int64(data.count)
        if state.patience != nil { state.body += data }
        return TransferProgress(received: state.received, expected: state.response?.expectedCount)
      }
      reporter?.report(progress)
      listenForSilence(dataTask)
    }

    private func patience(_ session: URLSession, _ response: HTTPURLResponse) -> TimeInterval {
      let credentials = session.configuration.urlCredentialStorage?.allCredentials ?? [:]
      let isKnown = credentials.keys.contains { $0.host == response.url?.host }
      return isKnown || session.delegate is any URLSessionTaskDelegate ? request.timeoutInterval : 1
    }

    private func listenForSilence(_ task: URLSessionDataTask) {
      let (patience, number) = state.withLock { state in
        state.breaks += 1
        return (state.isOver ? nil : state.patience, state.breaks)
      }
      let silence = patience.flatMap { patience in
        Delay.run(after: patience) { [weak self] in self?.refuse(task, ifStill: number) }
      }
      let old = state.withLock { state -> Delay? in
        guard !state.isOver, state.breaks == number else { return silence }
        defer { state.silence = silence }
        return state.silence
      }
      old?.cancel()
    }

    private func refuse(_ task: URLSessionDataTask, ifStill number: Int) {
      let isSilent = state.withLock { state in
        guard !state.isOver, state.breaks == number else { return false }
        state.isRefused = true
        return true
      }
      if isSilent { task.cancel() }
    }
  }

#else

  /// Hears of an answer while it comes.
  final class TransferWatch: NSObject, URLSessionTaskDelegate {
    private let reporter: ProgressReporter
    private let observation = Locked<NSKeyValueObservation?>(nil)

    init(_ reporter: ProgressReporter) {
      self.reporter = reporter
    }

    /// The request has ended.
    func stop() {
      observation.withLock { $0.take() }?.invalidate()
    }

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
      let observation = task.observe(\.countOfBytesReceived) { [reporter] task, _ in
        let response = task.response as? HTTPURLResponse
        reporter.report(TransferProgress(received: task.countOfBytesReceived, expected: response?.expectedCount))
      }
      self.observation.withLock { $0 = observation }
    }
  }
#endif
