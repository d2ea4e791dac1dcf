import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ThrowableTaskType where ResultType == (Data, HTTPURLResponse) {
  /// The task with an error in place of an answer whose status is not from 200 to 299.
  ///
  /// ```swift
  /// let (page, _) = try session.fetch(url).requiringSuccess().retry(attempts: 3).await()
  /// ```
  ///
  /// The error is an ``HTTPStatusError``, which has the answer's status, head and body. Redirections have been followed by then;
  /// what remains of the statuses from 300 on, such as 304, is an error too. It blocks nothing, and runs nothing of yours.
  public func requiringSuccess() -> ThrowableTask<(Data, HTTPURLResponse)> {
    inspect { body, response in
      guard response.isSuccess else { throw HTTPStatusError(response: response, body: body) }
    }
  }
}
