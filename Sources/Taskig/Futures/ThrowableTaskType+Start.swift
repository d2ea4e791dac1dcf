extension ThrowableTaskType where ResultType: Sendable {
  /// Runs the task once, now, and returns at once; the outcome is the shared task's.
  ///
  /// The action runs on the task's queue, or on a thread of Taskig's own. It is no part of what the caller awaits: only the shared
  /// task's ``SharedTask/cancel()`` and the task's own cancellation call it off.
  @discardableResult
  public func start(file: StaticString = #fileID, line: UInt = #line) -> SharedTask<ResultType> {
    SharedTask(running: self, at: CallSite(file, line))
  }
}

extension TaskType where ResultType: Sendable {
  /// Runs the task once, now, and returns at once; the outcome is the shared task's.
  ///
  /// The action runs on the task's queue, or on a thread of Taskig's own. It is no part of what the caller awaits: only the shared
  /// task's ``SharedTask/cancel()`` calls it off.
  @discardableResult
  public func start(file: StaticString = #fileID, line: UInt = #line) -> SharedTask<ResultType> {
    SharedTask(running: throwableTask, at: CallSite(file, line))
  }
}

extension SharedTask {
  /// The task itself, which has been started.
  @discardableResult
  public func start(file: StaticString = #fileID, line: UInt = #line) -> SharedTask { self }

  convenience init(running task: some ThrowableTaskType<T>, at site: CallSite) {
    self.init(from: .of(task) ?? .place(site), hub: Waiter())
    run(task, at: site)
  }

  /// Runs `task`, whose outcome is this one's.
  func run(_ task: some ThrowableTaskType<T>, at site: CallSite) {
    let work = ThrowingWork(task: task)
    work.launch(in: cancellation, for: hub, at: site) { [self] ending in
      complete(work.resolve(ending, at: site) ?? .failure(CancellableTaskError.taskWasCancelled))
    }
  }
}
