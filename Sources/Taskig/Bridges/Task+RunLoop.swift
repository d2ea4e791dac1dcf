import Foundation

extension Task where T == Never {
  /// Lets the calling thread's run loop go on until `condition` holds, or for `timeout`.
  ///
  /// ```swift
  /// let isDone = try Task.awaitInRunLoop(until: { clock.ticks > 30 }, timeout: .seconds(5))
  /// ```
  ///
  /// The condition is asked on the calling thread: at first, each time that a source or the main queue has had its turn, and
  /// about a hundred times a second. The loop runs in `mode`, as in ``TaskType/awaitInRunLoop(mode:file:line:)``.
  ///
  /// - Returns: Whether the condition held; `false` when the time was up, which zero or less is at once.
  /// - Throws: `CancellableTaskError.taskWasCancelled` if the task that the calling code is a part of is cancelled.
  @available(*, noasync, message: "It would block a thread of Swift's pool.")
  @discardableResult
  public static func awaitInRunLoop(
    until condition: () -> Bool, mode: RunLoop.Mode = .default, timeout: Duration? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Bool {
    RunLoop.requireMode(mode, at: CallSite(file, line))
    let clock = ContinuousClock()
    let end = timeout.map { clock.now.advanced(by: $0) }
    var holds = false
    ThreadContext.current.wait(inRunLoop: mode) {
      holds = condition()
      return holds || isCancelled || end.map { clock.now >= $0 } ?? false
    }
    if !holds { try checkCancellation() }
    return holds
  }
}
