import Dispatch

extension DispatchQueue {
  /// The queue of a task that names none: it runs wherever is cheapest, on the awaiting thread where that is possible.
  ///
  /// An action on this queue is told no label and no specific key; what it gets is speed. Name a queue of your own, or one
  /// of the system's, for a task that must run there. Blocks that you submit to this queue yourself run concurrently, as on
  /// any other; Taskig submits none.
  public static let taskDefault = DispatchQueue(label: "taskig.default", attributes: .concurrent)
}
