import Dispatch

extension Task {
  /// A task that runs Swift's `async` code.
  ///
  /// ```swift
  /// let names = ["Ben", "Cy"]
  /// let greetings = names.map { name in Task.fromAsync { await greeter.greet(name) } }.awaitAll()
  /// ```
  ///
  /// Here code that blocks calls code that suspends. The usual way, a semaphore, hangs for good as soon as all threads of Swift's
  /// pool wait so, or if the main thread waits for code that hops to the main actor. This does not: the code begins on the thread
  /// that runs the task, goes on on threads of Taskig's own, and the main thread, while it waits for it, serves the main queue.
  ///
  /// It has a name of its own, and is no initializer, since a trailing closure hides its label: `Task { await … }`, meant for
  /// Swift's own type, would otherwise compile into a task that nobody starts.
  ///
  /// When the run is cancelled, Swift's `Task.isCancelled` says so inside. Where the calling thread begins the run,
  /// in an await without a timeout, it has the priority of the Swift task that is calling, if there is one, and unless you name a
  /// `priority`, and its task-local values.
  public static func fromAsync(
    priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async -> T
  ) -> Task {
    Task(file: file, line: line) { completion in
      AsyncRun.start(priority: priority, at: CallSite(file, line), operation) { result in
        // It cannot fail.
        if case .success(let value) = result { completion(value) }
      }
    }
  }

  /// Runs Swift's `async` code, blocks until it is done and returns its value: ``fromAsync(priority:file:line:_:)`` and `await()`
  /// in one.
  ///
  /// ```swift
  /// let greeting = Task.awaitAsync { await greeter.greet("Ada") }
  /// ```
  @available(*, noasync, message: "It would block a thread of Swift's pool. Await the code itself instead.")
  @discardableResult
  public static func awaitAsync(
    priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async -> T
  ) -> T {
    fromAsync(priority: priority, file: file, line: line, operation).await(file: file, line: line)
  }
}

extension ThrowableTask {
  /// A task that runs Swift's `async` code, which may fail.
  ///
  /// The same as ``Task/fromAsync(priority:file:line:_:)`` in all else. Cancelling the task cancels the code, and an await of it
  /// that is parked, since the code has suspended, returns at once, while the code comes to its end by itself. If it throws Swift's `CancellationError`, the task
  /// fails with `CancellableTaskError.taskWasCancelled`.
  public static func fromAsync(
    priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> T
  ) -> ThrowableTask {
    ThrowableTask(file: file, line: line) { completion in
      AsyncRun.start(priority: priority, at: CallSite(file, line), operation, completion)
    }
  }

  /// Runs Swift's `async` code, blocks until it is done and returns its value: ``fromAsync(priority:file:line:_:)`` and `await()`
  /// in one.
  ///
  /// - Throws: What `operation` throws; `CancellableTaskError.taskWasCancelled` for Swift's `CancellationError`, or if a task that
  ///   this is a part of is cancelled.
  @available(*, noasync, message: "It would block a thread of Swift's pool. Await the code itself instead.")
  @discardableResult
  public static func awaitAsync(
    priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> T
  ) throws -> T {
    try fromAsync(priority: priority, file: file, line: line, operation).await(file: file, line: line)
  }
}
