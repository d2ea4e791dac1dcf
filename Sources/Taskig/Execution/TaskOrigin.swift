/// Where a task comes from, so that messages can say it.
@usableFromInline
enum TaskOrigin: Sendable {
  /// A line of the user's.
  case place(CallSite)
  /// A line of the user's, and what the user calls the task.
  case named(TaskName)
  /// Another task, of a type that knows no place.
  case type(Any.Type)

  /// Where `task` comes from; `nil` if it does not know.
  @inlinable
  static func of<T>(_ task: T) -> TaskOrigin? {
    guard task is any TracedTask, let type = T.self as? any TracedTask.Type else { return nil }
    return type.origin(of: task)
  }

  /// The user's line, if it is known.
  var site: CallSite? {
    switch self {
    case .place(let site): site
    case .named(let name): name.site
    case .type: nil
    }
  }

  /// What the user calls the task, if anything.
  var givenName: String? {
    if case .named(let name) = self { name.text } else { nil }
  }

  /// The same origin with a name.
  func named(_ name: String) -> TaskOrigin {
    switch self {
    case .place(let site): .named(TaskName(name, "made at \(site)", site))
    case .type(let type): .named(TaskName(name, "made from a task \(type)", nil))
    case .named(let old): .named(TaskName(name, old.origin, old.site))
    }
  }

  /// What a task of type `type` that comes from here is called in messages.
  @usableFromInline
  func name(_ type: Any.Type) -> String {
    switch self {
    case .place(let site): "The \(type) made at \(site)"
    case .named(let name): "The \(type) “\(name.text)”\(name.origin.isEmpty ? "" : " ")\(name.origin)"
    case .type(let other) where other == type: "The task \(type)"
    case .type(let other): "The \(type) made from a task \(other)"
    }
  }
}

/// A name that the user gave a task, boxed: few tasks have one, and all would be larger for it.
@usableFromInline
final class TaskName: Sendable {
  let text: String
  /// Where the task comes from, in words; empty if it does not know.
  let origin: String

  /// The user's line, if it is known.
  let site: CallSite?

  init(_ text: String, _ origin: String, _ site: CallSite?) {
    self.text = text
    self.origin = origin
    self.site = site
  }
}

/// A task that knows where it comes from.
@usableFromInline
protocol TracedTask {
  /// Where `task`, which is one of this type, comes from.
  static func origin<T>(of task: T) -> TaskOrigin
}
