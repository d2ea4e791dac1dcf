import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request, and its answer as it comes.
///
/// The session tells it what happens, one after the other, on its delegate queue. Cancelling comes from anywhere: it decides that
/// nobody is told any more, and takes the name from a file that was begun. What else there is to be cleaned up is so when the session
/// says that the request has ended.
final class Transfer: NSObject, URLSessionDataDelegate {
  typealias FetchResult = TaskResult<(Data, HTTPURLResponse)>

  private struct State {
    var response: HTTPURLResponse?
    var progress = TransferProgress(received: 0)
    var body = Data()
    var file: PartialFile?
    var failure: (any Error)?
    /// Who is to be told of the end, until somebody is.
    var ending: (@Sendable (FetchResult) -> Void)?
  }

  /// Bytes of an error's body beyond which nobody reads it.
  private static let excerpt = 1 << 16

  /// The session that the user has named.
  let session: URLSession
  let request: URLRequest
  let destination: URL?
  let site: CallSite
  private let reporter: ProgressReporter?
  private let state: Locked<State>

  init(
    _ request: URLRequest, to destination: URL?, in session: URLSession, _ progress: ProgressReporter.Closure?,
    at site: CallSite, ending: @escaping @Sendable (FetchResult) -> Void
  ) {
    self.session = session
    self.request = request
    // A relative one is one in the current folder; without this, its own folder has no name.
    self.destination = destination.map { URL(fileURLWithPath: $0.path) }
    self.site = site
    reporter = progress.map(ProgressReporter.init)
    state = Locked(State(ending: ending))
  }

  /// Whether somebody waits for the answer.
  var isOpen: Bool { state.withLock { $0.ending != nil } }

  /// Takes what has come for the whole answer.
  func takeAsItIs() {
    conclude(nil)
  }

  /// Takes `response`, without a body, for the whole answer.
  func take(_ response: HTTPURLResponse) {
    state.withLock { $0.response = response }
    conclude(nil)
  }

  /// Ends without an answer.
  func fail(_ error: any Error) {
    conclude(error)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let response = response as? HTTPURLResponse
    let progress = TransferProgress(received: 0, expected: response?.expectedCount(for: request))
    let (earlier, failure) = state.withLock { state in
      let earlier = state.file.take()
      (state.response, state.progress, state.body) = (response, progress, Data())
      // In one step with the look whether the request has been called off: nobody would remove what is begun after that.
      let opening = Result {
        try state.ending != nil && response?.isSuccess == true ? destination.map(PartialFile.init) : nil
      }
      (state.file, state.failure) = (try? opening.get(), opening.error)
      return (earlier, state.failure)
    }
    withExtendedLifetime(earlier) {}
    if failure != nil { dataTask.cancel() }
    reporter?.report(progress)
    completionHandler(failure == nil ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if !take(data) { dataTask.cancel() }
  }

  /// Takes the next piece of the body; `false` if the file does not, and the rest is for nothing.
  func take(_ data: Data) -> Bool {
    let (progress, file) = state.withLock { state in
      state.progress = TransferProgress(
        received: state.progress.received + Int64(data.count), expected: state.progress.expected)
      if destination == nil {
        state.body += data
      } else if state.file == nil {
        state.body += data.prefix(Self.excerpt - state.body.count)
      }
      return (state.progress, state.failure == nil ? state.file : nil)
    }
    let writing = Result { try file?.append(data) }
    if let error = writing.error { state.withLock { $0.failure = error } }
    reporter?.report(progress)
    return writing.error == nil
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    // Foundation does not tell of a redirection that leads nowhere, for want of a place, but has it.
    state.withLock { $0.response = $0.response ?? task.response as? HTTPURLResponse }
    conclude(error)
  }

  /// Ends what has come, when `progress` has been told all of it.
  private func conclude(_ error: (any Error)?) {
    let (progress, isWhole) = state.withLock { state in
      state.failure = state.failure ?? error
      return (state.progress, state.failure == nil)
    }
    guard let reporter, isWhole else {
      reporter?.stop()
      // What follows may block, and this thread is the session's.
      return Workers.shared.submit { [self] in settle() }
    }
    reporter.finish(progress) { self.settle() }
  }

  /// Decides on the outcome and tells of it, on a thread of Taskig's own.
  private func settle() {
    state.withLock { $0.file }?.close()
    // As late as can be, and in one step with taking the ending: who calls the request off before keeps the old file.
    let (last, outcome) = state.withLock { state -> (State, FetchResult?) in
      defer { state = State() }
      return (state, state.ending == nil ? nil : FetchResult { try self.fetchResult(of: state) })
    }
    // Before anybody is told.
    last.file?.discard()
    if let outcome { last.ending?(outcome) }
  }

  /// What the answer comes to; a file that is all there is in its place by then.
  private func fetchResult(of last: State) throws -> (Data, HTTPURLResponse) {
    if let error = last.failure { throw error }
    guard let response = last.response else { throw request.requestFault(.badServerResponse) }
    guard destination != nil else { return (last.body, response) }
    guard response.isSuccess else { throw HTTPStatusError(response: response, body: last.body) }
    try last.file?.finish()
    return (Data(), response)
  }

  /// Ends the wait with `outcome`, if nothing has ended it.
  func end(_ outcome: FetchResult) {
    let (ending, file) = state.withLock { ($0.ending.take(), $0.file) }
    guard let ending else { return }
    // At once: the program may end when the await does, long before the session says that the request has.
    file?.unlink()
    reporter?.stop()
    Workers.shared.submit { ending(outcome) }
  }
}

extension HTTPURLResponse {
  /// The bytes that the body will have, as far as the server says; compressed ones are others than those that come.
  fileprivate func expectedCount(for request: URLRequest) -> Int64? {
    // The length is then that of a body which does not come.
    if request.httpMethod == "HEAD" || statusCode == 304 { return 0 }
    let isPlain = (value(forHTTPHeaderField: "Content-Encoding") ?? "identity") == "identity"
    return isPlain && expectedContentLength >= 0 ? expectedContentLength : nil
  }
}
