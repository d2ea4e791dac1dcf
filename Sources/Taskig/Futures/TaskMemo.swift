/// Shared tasks by key, so that what several ask for at once is done once.
///
/// ```swift
/// let pages = TaskMemo<URL, String>()
///
/// func page(_ url: URL) -> SharedTask<String> {
///   pages.task(for: url) { download(url) }
/// }
/// ```
///
/// The first caller starts the work; whoever comes before it is done gets the same shared task. After that the next caller starts
/// it again, unless the memo keeps values.
public final class TaskMemo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// What a memo remembers.
  public enum Retention: Sendable {
    /// Tasks that are not done.
    case inFlight
    /// Those, and the ones that have succeeded, until they are removed.
    case successes
  }

  private let retention: Retention
  private let tasks = Locked<[Key: SharedTask<Value>]>([:])

  /// Makes an empty memo.
  public init(keeping retention: Retention = .inFlight) {
    self.retention = retention
  }

  /// The task for `key`: the one that is remembered, or else the one that `make` makes, which is started; from any thread.
  ///
  /// `make` runs as a part of that task, on a thread of Taskig's own. An error that it throws is that of the task.
  ///
  /// - Complexity: O(1) on average.
  @discardableResult
  public func task<Work: ThrowableTaskType>(
    for key: Key, file: StaticString = #fileID, line: UInt = #line,
    orStart make: @escaping @Sendable () throws -> Work
  ) -> SharedTask<Value> where Work.ResultType == Value {
    task(for: key, at: CallSite(file, line)) { try make().link }
  }

  /// The task for `key`: the one that is remembered, or else the plain one that `make` makes, which is started; from any thread.
  ///
  /// The same as ``task(for:file:line:orStart:)-92eg5`` in all else.
  @discardableResult
  public func task<Work: TaskType>(
    for key: Key, file: StaticString = #fileID, line: UInt = #line,
    orStart make: @escaping @Sendable () throws -> Work
  ) -> SharedTask<Value> where Work.ResultType == Value {
    task(for: key, at: CallSite(file, line)) { try make().link }
  }

  /// The task for `key`: the one that is remembered, or else one of `action`, which is started; from any thread.
  ///
  /// `action` runs on a thread of Taskig's own, and may block. An error that it throws is that of the task.
  @discardableResult
  public func task(
    for key: Key, file: StaticString = #fileID, line: UInt = #line,
    orStart action: @escaping @Sendable () throws -> Value
  ) -> SharedTask<Value> {
    let site = CallSite(file, line)
    return task(for: key, at: site) { ThrowableTask(file: file, line: line, action: action).link }
  }

  private func task(
    for key: Key, at site: CallSite, orStart make: @escaping () throws -> Chain.Link
  ) -> SharedTask<Value> {
    let (task, isNew, old) = tasks.withLock { tasks -> (SharedTask<Value>, Bool, SharedTask<Value>?) in
      if let task = tasks[key], isRemembered(task.state) { return (task, false, nil) }
      let new = SharedTask<Value>(from: .place(site), hub: Waiter())
      return (new, true, tasks.updateValue(new, forKey: key))
    }
    withExtendedLifetime(old) {}
    guard isNew else { return task }
    task.run(ThrowableTask { () }.followed(by: .flatMap(on: .taskDefault) { (_: Void) in try make() }), at: site)
    task.whenDone { [self] result in
      if result.isFailure || retention == .inFlight { removeEntry(for: key) { $0 === task } }
    }
    return task
  }

  /// Forgets the task for `key`, which goes on: the next caller starts a new one.
  ///
  /// - Returns: The task, if there was one.
  @discardableResult
  public func removeTask(for key: Key) -> SharedTask<Value>? {
    removeEntry(for: key) { _ in true }?.value
  }

  /// Forgets all tasks, which go on.
  public func removeAllTasks() {
    let all = tasks.withLock { tasks in
      defer { tasks = [:] }
      return tasks
    }
    withExtendedLifetime(all) {}
  }

  private func isRemembered(_ state: SharedTask<Value>.State) -> Bool {
    switch state {
    case .pending: true
    case .success: retention == .successes
    case .failure, .cancelled: false
    }
  }

  /// Removes what is remembered under `key`, if it is what is `meant`; the key too is then let go of outside of the lock.
  @discardableResult
  private func removeEntry(
    for key: Key, ifMeant isMeant: (SharedTask<Value>) -> Bool
  ) -> (key: Key, value: SharedTask<Value>)? {
    tasks.withLock { tasks in
      guard let index = tasks.index(forKey: key), isMeant(tasks[index].value) else { return nil }
      return tasks.remove(at: index)
    }
  }
}
