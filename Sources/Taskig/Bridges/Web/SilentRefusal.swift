#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// Ends requests that are refused and that Foundation then leaves hanging.
  ///
  /// Up to Swift 6.3.1, Foundation on Linux does not end a request that is answered with 401 and asks for a name and a password
  /// which nobody has. So silence after a 401 is taken for its end: after a second if there is nobody to ask, or else after as
  /// long as the request may be idle.
  final class SilentRefusal: Sendable {
    private struct State {
      var response: HTTPURLResponse?
      var body = Data()
      var patience: TimeInterval = 0
      var silence: Delay?
      /// How often the silence has been broken.
      var breaks = 0
      var isTaken = false
      var isOver = false
    }

    private let state = Locked(State())

    /// The answer that has been taken for all of it, if one has.
    var answer: (Data, URLResponse)? {
      state.withLock { state in
        guard state.isTaken, let response = state.response else { return nil }
        return (state.body, response)
      }
    }

    /// An answer begins, the first one or another one to another attempt of the session's.
    func hear(_ response: HTTPURLResponse, to task: URLSessionTask, in session: URLSession) {
      let isRefusal = response.statusCode == 401
      let patience = isRefusal ? Self.patience(with: response, to: task, in: session) : 0
      state.withLock { state in
        state.response = isRefusal ? response : nil
        state.body = Data()
        state.patience = patience
      }
      listen(to: task)
    }

    /// Some of the body has come.
    func hear(_ data: Data, to task: URLSessionTask) {
      state.withLock { state in
        if state.response != nil { state.body += data }
      }
      listen(to: task)
    }

    /// The request has ended by itself.
    func stop() {
      let silence = state.withLock { state in
        state.isOver = true
        return state.silence.take()
      }
      silence?.cancel()
    }

    private static func patience(
      with response: HTTPURLResponse, to task: URLSessionTask, in session: URLSession
    ) -> TimeInterval {
      let credentials = session.configuration.urlCredentialStorage?.allCredentials ?? [:]
      let isKnown = credentials.keys.contains { $0.host == response.url?.host }
      let mayAnswer = isKnown || session.delegate is any URLSessionTaskDelegate
      return mayAnswer ? task.originalRequest?.timeoutInterval ?? 60 : 1
    }

    private func listen(to task: URLSessionTask) {
      let (patience, number) = state.withLock { state -> (TimeInterval?, Int) in
        state.breaks += 1
        return (state.isOver || state.response == nil ? nil : state.patience, state.breaks)
      }
      let new = patience.flatMap { patience in
        Delay.run(after: patience) { [weak self] in self?.take(task, ifStill: number) }
      }
      let old = state.withLock { state -> Delay? in
        guard !state.isOver, state.breaks == number else { return new }
        defer { state.silence = new }
        return state.silence
      }
      old?.cancel()
    }

    private func take(_ task: URLSessionTask, ifStill number: Int) {
      let isSilent = state.withLock { state in
        if !state.isOver, state.breaks == number { state.isTaken = true }
        return state.isTaken
      }
      if isSilent { task.cancel() }
    }
  }
#endif
