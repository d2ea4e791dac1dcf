import Dispatch

// A function that takes one tuple does not convert to one that takes its elements, so the handlers of `dataTask` and its like,
// which take two or three values, need these to be handed on as they are. Parameter packs would say it once for any number, but
// Swift 6.3 compiles such an initializer into code that crashes.

extension Task {
  /// Makes a task whose closure hands two values to the completion that it gets, as many callback functions do.
  ///
  /// The same as `init(executionQueue:action:)` with a completion for one value, in all else.
  @inlinable
  @preconcurrency
  public init<A, B>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    action: @escaping @Sendable (_ completion: @escaping @Sendable (A, B) -> Void) -> Void
  ) where T == (A, B) {
    self.init(executionQueue: executionQueue, file: file, line: line) { (completion: @escaping @Sendable (T) -> Void) in
      action { completion(($0, $1)) }
    }
  }

  /// Makes a task whose closure hands three values to the completion that it gets, as `URLSession` does.
  ///
  /// The same as `init(executionQueue:action:)` with a completion for one value, in all else.
  @inlinable
  @preconcurrency
  public init<A, B, C>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    action: @escaping @Sendable (_ completion: @escaping @Sendable (A, B, C) -> Void) -> Void
  ) where T == (A, B, C) {
    self.init(executionQueue: executionQueue, file: file, line: line) { (completion: @escaping @Sendable (T) -> Void) in
      action { completion(($0, $1, $2)) }
    }
  }
}
