/// A type whose values are told what tasks do, for a trace, a log or a count.
///
/// ```swift
/// struct Log: TaskObserver {
///   func observe(_ event: TaskEvent) {
///     if case .finished(let error) = event.kind { print(event.run.name, error == nil ? "succeeded" : "failed") }
///   }
/// }
///
/// TaskigSettings.observer = Log()
/// ```
///
/// While nobody observes, all of this costs nothing.
public protocol TaskObserver: Sendable {
  /// Takes an event, on the thread on which it happens and while it does, with none of Taskig's locks held.
  ///
  /// It is called from many threads at once. The task waits for it to return, so it must be quick and must not wait for tasks.
  /// Those that it begins, and what is a part of them, are not observed.
  func observe(_ event: TaskEvent)
}
