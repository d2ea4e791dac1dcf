// Swift 6.3 does not compile `a.zip(b).map { $0.0 + $0.1 }` where the tuple comes from a parameter pack, so one and two other
// tasks, which are the most frequent, have overloads without a pack, which the compiler prefers.

extension TaskType {
  /// The task of running this one and another at once, which results in the results of both.
  ///
  /// ```swift
  /// let (name, age) = Task { "Ada" }.zip(Task { 36 }).await()
  /// ```
  ///
  /// It is `awaitAll` as a task, which holds no thread while it waits.
  public func zip<B: TaskType>(
    _ b: B, file: StaticString = #fileID, line: UInt = #line
  ) -> Task<(ResultType, B.ResultType)> {
    zipped([erased(self), erased(b)], at: CallSite(file, line)) { (known($0[0]), known($0[1])) }
  }

  /// The task of running this one and two others at once, which results in the results of all, each in its task's place.
  public func zip<B: TaskType, C: TaskType>(
    _ b: B, _ c: C, file: StaticString = #fileID, line: UInt = #line
  ) -> Task<(ResultType, B.ResultType, C.ResultType)> {
    zipped([erased(self), erased(b), erased(c)], at: CallSite(file, line)) {
      (known($0[0]), known($0[1]), known($0[2]))
    }
  }

  /// The task of running this one and others at once, which results in the results of all, each in its task's place.
  public func zip<each Other: TaskType>(
    _ other: repeat each Other, file: StaticString = #fileID, line: UInt = #line
  ) -> Task<(ResultType, repeat (each Other).ResultType)> {
    var tasks = [erased(self)]
    for task in repeat each other { tasks.append(erased(task)) }
    return zipped(tasks, at: CallSite(file, line)) { results in
      var results = results[...]
      return (takeResult(of: self, from: &results), repeat takeResult(of: each other, from: &results))
    }
  }

  private func zipped<U>(_ tasks: [Task<Any>], at site: CallSite, _ tuple: @escaping ([Any]) -> U) -> Task<U> {
    tasks.whenAll(concurrency: .max, file: site.file, line: site.line).followed(by: .map(on: .taskDefault, tuple))
  }
}

extension ThrowableTaskType {
  /// The task of running this one and another at once, which results in the values of both, or in the first failure.
  ///
  /// ```swift
  /// let (user, posts) = try userTask.zip(postsTask).await()
  /// ```
  ///
  /// It is `awaitAll` as a task, which holds no thread while it waits: after the first failure the others are cancelled and waited
  /// for.
  public func zip<B: ThrowableTaskType>(
    _ b: B, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<(ResultType, B.ResultType)> {
    zipped([erased(self), erased(b)], at: CallSite(file, line)) { (known($0[0]), known($0[1])) }
  }

  /// The task of running this one and two others at once, which results in the values of all, each in its task's place, or in the
  /// first failure.
  public func zip<B: ThrowableTaskType, C: ThrowableTaskType>(
    _ b: B, _ c: C, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<(ResultType, B.ResultType, C.ResultType)> {
    zipped([erased(self), erased(b), erased(c)], at: CallSite(file, line)) {
      (known($0[0]), known($0[1]), known($0[2]))
    }
  }

  /// The task of running this one and others at once, which results in the values of all, each in its task's place, or in the first
  /// failure.
  public func zip<each Other: ThrowableTaskType>(
    _ other: repeat each Other, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<(ResultType, repeat (each Other).ResultType)> {
    var tasks = [erased(self)]
    for task in repeat each other { tasks.append(erased(task)) }
    return zipped(tasks, at: CallSite(file, line)) { values in
      var values = values[...]
      return (takeValue(of: self, from: &values), repeat takeValue(of: each other, from: &values))
    }
  }

  private func zipped<U>(
    _ tasks: [ThrowableTask<Any>], at site: CallSite, _ tuple: @escaping ([Any]) -> U
  ) -> ThrowableTask<U> {
    tasks.whenAll(concurrency: .max, file: site.file, line: site.line).followed(by: .map(on: .taskDefault, tuple))
  }
}

extension SharedTask {
  /// A shared task that has the values of this one and of another when both have succeeded, or the first failure when there is one.
  ///
  /// Cancelling it cancels both.
  public func zip<B>(
    _ b: SharedTask<B>, file: StaticString = #fileID, line: UInt = #line
  ) -> SharedTask<(T, B)> {
    zipped([erased(self), erased(b)], of: [cancellation, b.cancellation], at: CallSite(file, line)) {
      (known($0[0]), known($0[1]))
    }
  }

  /// A shared task that has the values of this one and of two others when all have succeeded, or the first failure when there is one.
  ///
  /// Cancelling it cancels them all.
  public func zip<B, C>(
    _ b: SharedTask<B>, _ c: SharedTask<C>, file: StaticString = #fileID, line: UInt = #line
  ) -> SharedTask<(T, B, C)> {
    let sources = [cancellation, b.cancellation, c.cancellation]
    return zipped([erased(self), erased(b), erased(c)], of: sources, at: CallSite(file, line)) {
      (known($0[0]), known($0[1]), known($0[2]))
    }
  }

  /// A shared task that has the values of this one and of others, each in its task's place, when all have succeeded, or the first
  /// failure when there is one.
  ///
  /// Cancelling it cancels them all.
  public func zip<each U: Sendable>(
    _ other: repeat SharedTask<each U>, file: StaticString = #fileID, line: UInt = #line
  ) -> SharedTask<(T, repeat each U)> {
    var sources = [cancellation]
    var tasks = [erased(self)]
    for task in repeat each other {
      sources.append(task.cancellation)
      tasks.append(erased(task))
    }
    return zipped(tasks, of: sources, at: CallSite(file, line)) { values in
      var values = values[...]
      return (takeValue(of: self, from: &values), repeat takeValue(of: each other, from: &values))
    }
  }

  private func zipped<U>(
    _ tasks: [ThrowableTask<Any>], of sources: [Cancellation], at site: CallSite, _ tuple: @escaping ([Any]) -> U
  ) -> SharedTask<U> {
    let all = tasks.whenAll(concurrency: .max, file: site.file, line: site.line)
    return SharedTask<U>(
      Chain(.map(on: .taskDefault, tuple), after: all.link), callingOff: sources, from: .place(site))
  }
}
