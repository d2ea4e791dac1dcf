import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests as tasks.
///
/// Making a task sends nothing, and each await sends the request anew. No thread is held while the answer is on its way, and no
/// turn of the session's delegate queue is needed, so that even the main thread may wait for a session that calls back on it.
///
/// Cancelling the task cancels the request, in the middle of an answer too, and closes its connection: `cancel()`, a timeout, another
/// that is faster in `awaitFirst`, an await around it that is cancelled.
///
/// The session that sends the request is the one that you call, with its configuration, cookies, cache and delegate. It must not
/// have been invalidated: Foundation stops the program then.
extension URLSession {
  /// A task that fetches what is at `url`: the whole body, in memory, and the answer's head.
  ///
  /// ```swift
  /// let (page, response) = try session.fetch(url).await()
  /// ```
  ///
  /// A status that says that something is wrong, such as 404, is no error here; see
  /// ``TaskigWebStep/requiringSuccess()``.
  public func fetch(
    _ url: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<(Data, HTTPURLResponse)> {
    fetch(URLRequest(url: url), progress: progress, file: file, line: line)
  }

  /// A task that sends `request` and gets the answer: the whole body, in memory, and the head.
  public func fetch(
    _ request: URLRequest, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<(Data, HTTPURLResponse)> {
    ThrowableTask(file: file, line: line) { completion in
      let transfer = Transfer(request, to: nil, in: self, progress, ending: completion)
      Task.onCancel(transfer.begin())
    }
  }

  /// A task that fetches what is at `url` into the file `destination`, and gives the answer's head.
  public func fetch(
    _ url: URL, to destination: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<HTTPURLResponse> {
    fetch(URLRequest(url: url), to: destination, progress: progress, file: file, line: line)
  }

  /// A task that sends `request`, puts the answer's body into the file `destination`, and gives its head.
  public func fetch(
    _ request: URLRequest, to destination: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<HTTPURLResponse> {
    guard destination.isFileURL else {
      trap(
        "“\(destination.absoluteString)” is no file URL.",
        consequence: "What is fetched could not be put there.",
        remedy: "Make it with URL(fileURLWithPath:).",
        at: CallSite(file, line))
    }
    return ThrowableTask(file: file, line: line) { completion in
      let transfer = Transfer(request, to: destination, in: self, progress) { completion($0.map { $0.1 }) }
      Task.onCancel(transfer.begin())
    }
  }
}
