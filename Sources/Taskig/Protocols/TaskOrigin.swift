/// Where a task comes from, so that messages can say it.
@usableFromInline
enum TaskOrigin: Sendable {
  /// A line of the user's.
  case place(CallSite)
  /// Another task, of a type that knows no place.
  case type(Any.Type)

  /// Where `task` comes from.
  static func of<T>(_ task: T) -> TaskOrigin { (task as? any TracedTask)?.origin ?? .type(T.self) }

  /// What `task` is called in messages: its type, and where it comes from.
  static func name<T>(of task: T) -> String {
    switch of(task) {
    case .place(let site): "The \(T.self) made at \(site)"
    case .type(let type) where type == T.self: "The task \(T.self)"
    case .type(let type): "The \(T.self) made from a task \(type)"
    }
  }
}

/// A task that knows where it comes from.
protocol TracedTask {
  var origin: TaskOrigin { get }
}
