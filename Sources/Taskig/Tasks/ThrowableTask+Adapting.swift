import Dispatch

// As in Task+Adapting.swift: up to three arguments are written out, for the sake of what Swift 6.3 cannot do with packs.

extension ThrowableTask {
  /// Makes of a callback function whose completion takes a `Result` one that returns a task.
  ///
  /// ```swift
  /// func load(_ name: String, completion: @escaping @Sendable (Result<Data, LoadError>) -> Void) {
  ///   completion(.success(Data(name.utf8)))
  /// }
  ///
  /// let data = ThrowableTask.adapting(load)
  /// let settings = try data("settings").await()
  /// ```
  ///
  /// The completion comes last. It need not be `@Sendable`, and may be optional.
  ///
  /// Each await of a task calls the function, with the arguments that the task was made with. Each task has a cancellation of
  /// its own. Messages say that it was made where `adapting` is called.
  ///
  /// Swift 5 code is warned of functions that are not marked as `@Sendable`, unless it is compiled with the upcoming feature
  /// `InferSendableFromCaptures`.
  ///
  /// - Note: Swift 6.3 needs help with some functions. If there are more than three arguments, or a function is among them, keep
  ///   what this returns in a constant before you call it. If there are more than three, and a function or a tuple is among
  ///   them, make the task from a closure instead: `ThrowableTask { done in load(…, done) }`.
  public static func adapting<each A: Sendable, Failure: Error>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (repeat each A, @escaping @Sendable (Result<T, Failure>) -> Void) -> Void
  ) -> @Sendable (repeat each A) -> ThrowableTask {
    spread(function) { call in
      ThrowableTask(executionQueue: executionQueue, file: file, line: line) { call(completionTaking($0)) }
    }
  }

  /// The same, for a function of no argument beside its completion.
  public static func adapting<Failure: Error>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (@escaping @Sendable (Result<T, Failure>) -> Void) -> Void
  ) -> @Sendable () -> ThrowableTask {
    { ThrowableTask(executionQueue: executionQueue, file: file, line: line) { function(completionTaking($0)) } }
  }

  /// The same, for a function of one argument beside its completion.
  public static func adapting<A: Sendable, Failure: Error>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, @escaping @Sendable (Result<T, Failure>) -> Void) -> Void
  ) -> @Sendable (A) -> ThrowableTask {
    { a in ThrowableTask(executionQueue: executionQueue, file: file, line: line) { function(a, completionTaking($0)) } }
  }

  /// The same, for a function of two arguments beside its completion.
  public static func adapting<A: Sendable, B: Sendable, Failure: Error>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, B, @escaping @Sendable (Result<T, Failure>) -> Void) -> Void
  ) -> @Sendable (A, B) -> ThrowableTask {
    { a, b in
      ThrowableTask(executionQueue: executionQueue, file: file, line: line) { function(a, b, completionTaking($0)) }
    }
  }

  /// The same, for a function of three arguments beside its completion.
  public static func adapting<A: Sendable, B: Sendable, C: Sendable, Failure: Error>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, B, C, @escaping @Sendable (Result<T, Failure>) -> Void) -> Void
  ) -> @Sendable (A, B, C) -> ThrowableTask {
    { a, b, c in
      ThrowableTask(executionQueue: executionQueue, file: file, line: line) { function(a, b, c, completionTaking($0)) }
    }
  }
}

extension ThrowableTask {
  /// Makes of a callback function whose completion takes a value and an error, one of them `nil`, one that returns a task.
  ///
  /// The task fails if there is an error, whether or not there is a value too. If there is neither, it fails with
  /// ``TaskigError/neitherValueNorError(task:)``.
  ///
  /// The same as for a completion that takes a `Result`, in all else.
  public static func adapting<each A: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (repeat each A, @escaping @Sendable (T?, (any Error)?) -> Void) -> Void
  ) -> @Sendable (repeat each A) -> ThrowableTask {
    spread(function) { call in
      ThrowableTask(executionQueue: executionQueue, file: file, line: line) { call(completionTaking($0, file, line)) }
    }
  }

  /// The same, for a function of no argument beside its completion.
  public static func adapting(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (@escaping @Sendable (T?, (any Error)?) -> Void) -> Void
  ) -> @Sendable () -> ThrowableTask {
    {
      ThrowableTask(executionQueue: executionQueue, file: file, line: line) {
        function(completionTaking($0, file, line))
      }
    }
  }

  /// The same, for a function of one argument beside its completion.
  public static func adapting<A: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, @escaping @Sendable (T?, (any Error)?) -> Void) -> Void
  ) -> @Sendable (A) -> ThrowableTask {
    { a in
      ThrowableTask(executionQueue: executionQueue, file: file, line: line) {
        function(a, completionTaking($0, file, line))
      }
    }
  }

  /// The same, for a function of two arguments beside its completion.
  public static func adapting<A: Sendable, B: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, B, @escaping @Sendable (T?, (any Error)?) -> Void) -> Void
  ) -> @Sendable (A, B) -> ThrowableTask {
    { a, b in
      ThrowableTask(executionQueue: executionQueue, file: file, line: line) {
        function(a, b, completionTaking($0, file, line))
      }
    }
  }

  /// The same, for a function of three arguments beside its completion.
  public static func adapting<A: Sendable, B: Sendable, C: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, B, C, @escaping @Sendable (T?, (any Error)?) -> Void) -> Void
  ) -> @Sendable (A, B, C) -> ThrowableTask {
    { a, b, c in
      ThrowableTask(executionQueue: executionQueue, file: file, line: line) {
        function(a, b, c, completionTaking($0, file, line))
      }
    }
  }
}

extension ThrowableTask where T == Void {
  /// Makes of a callback function whose completion takes an error, or `nil` if all went well, one that returns a task.
  ///
  /// The same as for a completion that takes a `Result`, in all else.
  public static func adapting<each A: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (repeat each A, @escaping @Sendable ((any Error)?) -> Void) -> Void
  ) -> @Sendable (repeat each A) -> ThrowableTask {
    spread(function) { call in
      ThrowableTask(executionQueue: executionQueue, file: file, line: line) { call(completionTaking($0)) }
    }
  }

  /// The same, for a function of no argument beside its completion.
  public static func adapting(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void
  ) -> @Sendable () -> ThrowableTask {
    { ThrowableTask(executionQueue: executionQueue, file: file, line: line) { function(completionTaking($0)) } }
  }

  /// The same, for a function of one argument beside its completion.
  public static func adapting<A: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, @escaping @Sendable ((any Error)?) -> Void) -> Void
  ) -> @Sendable (A) -> ThrowableTask {
    { a in ThrowableTask(executionQueue: executionQueue, file: file, line: line) { function(a, completionTaking($0)) } }
  }

  /// The same, for a function of two arguments beside its completion.
  public static func adapting<A: Sendable, B: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, B, @escaping @Sendable ((any Error)?) -> Void) -> Void
  ) -> @Sendable (A, B) -> ThrowableTask {
    { a, b in
      ThrowableTask(executionQueue: executionQueue, file: file, line: line) { function(a, b, completionTaking($0)) }
    }
  }

  /// The same, for a function of three arguments beside its completion.
  public static func adapting<A: Sendable, B: Sendable, C: Sendable>(
    executionQueue: DispatchQueue = .taskDefault, file: StaticString = #fileID, line: UInt = #line,
    _ function: @escaping @Sendable (A, B, C, @escaping @Sendable ((any Error)?) -> Void) -> Void
  ) -> @Sendable (A, B, C) -> ThrowableTask {
    { a, b, c in
      ThrowableTask(executionQueue: executionQueue, file: file, line: line) { function(a, b, c, completionTaking($0)) }
    }
  }
}

extension ThrowableTask {
  private typealias Completion = @Sendable (TaskResult<T>) -> Void

  private static func completionTaking<Failure: Error>(
    _ completion: @escaping Completion
  ) -> @Sendable (Result<T, Failure>) -> Void {
    { completion($0.mapError { $0 }) }
  }

  private static func completionTaking(
    _ completion: @escaping Completion, _ file: StaticString, _ line: UInt
  ) -> @Sendable (T?, (any Error)?) -> Void {
    { value, error in
      if let error {
        completion(.failure(error))
      } else if let value {
        completion(.success(value))
      } else {
        let name = TaskOrigin.place(CallSite(file, line)).name(ThrowableTask.self)
        completion(.failure(TaskigError.neitherValueNorError(task: name)))
      }
    }
  }

  private static func completionTaking(_ completion: @escaping Completion) -> @Sendable ((any Error)?) -> Void
  where T == Void {
    { error in completion(error.map { .failure($0) } ?? .success(())) }
  }
}
