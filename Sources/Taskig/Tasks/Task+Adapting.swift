import Dispatch

// Parameter packs say it once for any number of arguments, but Swift 6.3 has its troubles with them. It crashes where
// most functions that take a function or a tuple are converted to one with a pack, and what `adapting` returns cannot
// be called on the spot. The overloads for up to three arguments, which the compiler prefers, have neither trouble, so
// only the rare longer functions have to do with packs.
//
// None is `@preconcurrency`, which would spare Swift 5 code a warning for each function that is not `@Sendable`. Such
// code, in a debug build, crashes when it calls a function that it got from a generic one with that attribute and keeps
// in a global or a stored property, as in `static let load = ThrowableTask.adapting(fetch)`.

extension Task {
  /// Makes of a callback function one that returns a task, with the same arguments but for the completion.
  ///
  /// ```swift
  /// func measure(_ text: String, in unit: Unit, completion: @escaping @Sendable (Double) -> Void) {
  ///   completion(Double(text.count) * (unit == .points ? 7 : 0.1))
  /// }
  ///
  /// let width = Task.adapting(measure)
  /// let wide = width("Hello", .points).await()
  /// ```
  ///
  /// The completion comes last and takes the result. It need not be `@Sendable`, and may be optional.
  ///
  /// Each await of a task calls the function, with the arguments that the task was made with. Messages say that the task was
  /// made where `adapting` is called.
  ///
  /// Swift 5 code is warned of functions that are not marked as `@Sendable`, unless it is compiled with the upcoming feature
  /// `InferSendableFromCaptures`.
  ///
  /// - Note: Swift 6.3 needs help with some functions. If there are more than three arguments, or a function is among them, keep
  ///   what this returns in a constant before you call it. If there are more than three, and a function or a tuple is among
  ///   them, make the task from a closure instead: `Task { done in measure(…, done) }`.
  public static func adapting<each A: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (repeat each A, @escaping @Sendable (T) -> Void) -> Void
  ) -> @Sendable (repeat each A) -> Task {
    spread(function) { call in
      Task(executionQueue: executionQueue, file: file, line: line) { call($0) }
    }
  }

  /// The same, for a function of no argument beside its completion.
  public static func adapting(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (@escaping @Sendable (T) -> Void) -> Void
  ) -> @Sendable () -> Task {
    { Task(executionQueue: executionQueue, file: file, line: line) { function($0) } }
  }

  /// The same, for a function of one argument beside its completion.
  public static func adapting<A: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, @escaping @Sendable (T) -> Void) -> Void
  ) -> @Sendable (A) -> Task {
    { a in Task(executionQueue: executionQueue, file: file, line: line) { function(a, $0) } }
  }

  /// The same, for a function of two arguments beside its completion.
  public static func adapting<A: Sendable, B: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, B, @escaping @Sendable (T) -> Void) -> Void
  ) -> @Sendable (A, B) -> Task {
    { a, b in Task(executionQueue: executionQueue, file: file, line: line) { function(a, b, $0) } }
  }

  /// The same, for a function of three arguments beside its completion.
  public static func adapting<A: Sendable, B: Sendable, C: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, B, C, @escaping @Sendable (T) -> Void) -> Void
  ) -> @Sendable (A, B, C) -> Task {
    { a, b, c in Task(executionQueue: executionQueue, file: file, line: line) { function(a, b, c, $0) } }
  }
}

extension Task where T == Void {
  /// Makes of a callback function whose completion takes nothing one that returns a task.
  ///
  /// The same as for a completion that takes a result, in all else.
  public static func adapting<each A: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (repeat each A, @escaping @Sendable () -> Void) -> Void
  ) -> @Sendable (repeat each A) -> Task {
    spread(function) { call in
      Task(executionQueue: executionQueue, file: file, line: line) { done in call { done(()) } }
    }
  }

  /// The same, for a function of no argument beside its completion.
  public static func adapting(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> @Sendable () -> Task {
    { Task(executionQueue: executionQueue, file: file, line: line) { done in function({ done(()) }) } }
  }

  /// The same, for a function of one argument beside its completion.
  public static func adapting<A: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, @escaping @Sendable () -> Void) -> Void
  ) -> @Sendable (A) -> Task {
    { a in Task(executionQueue: executionQueue, file: file, line: line) { done in function(a, { done(()) }) } }
  }

  /// The same, for a function of two arguments beside its completion.
  public static func adapting<A: Sendable, B: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, B, @escaping @Sendable () -> Void) -> Void
  ) -> @Sendable (A, B) -> Task {
    { a, b in Task(executionQueue: executionQueue, file: file, line: line) { done in function(a, b, { done(()) }) } }
  }

  /// The same, for a function of three arguments beside its completion.
  public static func adapting<A: Sendable, B: Sendable, C: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, B, C, @escaping @Sendable () -> Void) -> Void
  ) -> @Sendable (A, B, C) -> Task {
    { a, b, c in
      Task(executionQueue: executionQueue, file: file, line: line) { done in function(a, b, c, { done(()) }) }
    }
  }
}

/// A function without the completion of `function`, which returns what `make` makes of a call that still lacks it.
///
/// The completion is of any type here, and not the function that it is, since Swift 6.3 crashes when a pack takes that in.
func spread<each A: Sendable, Completion, Made>(
  _ function: @escaping @Sendable (repeat each A, Completion) -> Void,
  make: @escaping @Sendable (_ call: @escaping @Sendable (Completion) -> Void) -> Made
) -> @Sendable (repeat each A) -> Made {
  { (arguments: repeat each A) in
    make { completion in apply(function, to: (repeat each arguments, completion)) }
  }
}

/// Calls `function`, whose last argument, the completion, goes in with the others.
///
/// A call with a pack and one argument more, `function(repeat each arguments, completion)`, does not compile in Swift 6.3.
private func apply<each A>(_ function: (repeat each A) -> Void, to arguments: (repeat each A)) {
  function(repeat each arguments)
}
