import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests as tasks.
///
/// Making a task sends nothing, and each await sends the request anew. No thread is held while the answer is on its way, except
/// the one that waits. What follows a request, an operator or the handler of `async`, runs on a thread of Taskig's own and may block.
///
/// Whatever calls the task off ends the request, in the middle of an answer too, and closes its connection: `cancel()`, a timeout,
/// another task that is faster in `awaitFirst`, an await around it that is cancelled.
///
/// The session's configuration, cookies and credentials count, and its delegate is asked about redirections and challenges. On
/// Linux another session sends the request for it, for which <doc:WebRequests> gives the reasons. The session must not have been
/// invalidated: on Apple platforms, Foundation stops the program then.
extension URLSession {
  /// A task that fetches what is at `url`: the whole body, in memory, and the answer's head.
  ///
  /// ```swift
  /// let (data, response) = try session.fetch(url).await()
  /// ```
  ///
  /// A status such as 404 is an answer and no error; see ``ThrowableTaskType/requiringSuccess()``.
  ///
  /// The task fails with a `URLError` if there is no whole answer: where nobody is reached, the answer breaks off or cannot be
  /// understood, or redirections lead in a circle. So it does, without sending anything, if `url` is no URL of http or https with
  /// a host, and on Linux if that is an IPv6 address, or if a redirection leads to such a URL.
  ///
  /// `progress` is told how much of the body has come, from the head of the answer on: on threads of Taskig's own, one call
  /// after the other, with what comes during a call told at once after it. It is told of all of the body before the task ends
  /// well, and of nothing after the task has ended, except in a call that is under way. The task does not end before it returns
  /// from the last call, so it should not block.
  public func fetch(
    _ url: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<(Data, HTTPURLResponse)> {
    fetch(URLRequest(url: url), progress: progress, file: file, line: line)
  }

  /// A task that sends `request` and gets the answer: the whole body, in memory, and the head.
  ///
  /// It fails, and tells `progress`, as the one for a URL does. A body that is a stream can be sent only once, and another
  /// await fails with a `URLError` that says so; give the request its body as data if it is to be sent again.
  public func fetch(
    _ request: URLRequest, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<(Data, HTTPURLResponse)> {
    ThrowableTask(file: file, line: line) { completion in
      let transfer = Transfer(request, to: nil, in: self, progress, at: CallSite(file, line), ending: completion)
      transfer.begin()
    }
  }

  /// A task that fetches what is at `url` into the file `destination`, and gives the answer's head.
  ///
  /// The body is written beside `destination` as it comes, in a file whose name begins with `.taskig-`, and takes its place when
  /// all of it has come. Until then, and if it never does, `destination` is as it was, and the other file goes. A file that is
  /// there is replaced, and the new one has its permissions; where a link is, the file is replaced that it leads to.
  ///
  /// The task fails with an ``HTTPStatusError`` if the status is not from 200 to 299; with a `CocoaError`, before anything is
  /// sent, if `destination` is a folder, a device or the like, or in no folder that exists; with what the file system says if the file cannot be written;
  /// and as the one that gives the body does. `progress` is told as there, before the file is in its place.
  ///
  /// Traps if `destination` is no file URL.
  public func fetch(
    _ url: URL, to destination: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<HTTPURLResponse> {
    fetch(URLRequest(url: url), to: destination, progress: progress, file: file, line: line)
  }

  /// A task that sends `request`, puts the answer's body into the file `destination`, and gives its head.
  ///
  /// It fails, writes and tells `progress` as the one for a URL does, and traps as that does.
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
      let transfer = Transfer(request, to: destination, in: self, progress, at: CallSite(file, line)) {
        completion($0.map { $0.1 })
      }
      transfer.begin()
    }
  }
}
