extension ThrowableTask where T == Void {
  /// A task that is done `duration` after it is started, and holds no thread meanwhile; zero or less means at once, a century or
  /// more never.
  ///
  /// ```swift
  /// try ThrowableTask.delay(for: .seconds(1)).await()
  /// ```
  ///
  /// Cancelling it ends it at once. `Task.sleep(for:)` does the same inside of a task, on its thread.
  public static func delay(
    for duration: Duration, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask {
    ThrowableTask(.pause(for: duration), from: .place(CallSite(file, line)))
  }
}
