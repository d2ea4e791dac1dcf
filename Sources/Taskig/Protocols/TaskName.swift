/// A task that knows where it was made.
protocol TracedTask {
  var origin: CallSite { get }
}

/// How a task is called in messages.
enum TaskName {
  /// The task's type, and where it was made if it knows.
  static func of<T>(_ task: T) -> String {
    guard let origin = (task as? any TracedTask)?.origin else { return "The task \(T.self)" }
    return "The \(T.self) made at \(origin)"
  }
}
