extension TaskType {
  /// The task of running this one and others at once, which results in the results of all, each in its task's place.
  ///
  /// ```swift
  /// let (name, age) = Task { "Ada" }.zip(Task { 36 }).await()
  /// ```
  ///
  /// It is `awaitAll` as a task, which holds no thread while it waits.
  public func zip<each Other: TaskType>(
    _ other: repeat each Other, file: StaticString = #fileID, line: UInt = #line
  ) -> Task<(ResultType, repeat (each Other).ResultType)> {
    var tasks = [erased(self)]
    for task in repeat each other { tasks.append(erased(task)) }
    let all = tasks.whenAll(concurrency: .max, file: file, line: line)
    return all.followed(
      by: .map(on: .taskDefault) { (results: [Any]) in
        var results = results[...]
        return (takeResult(of: self, from: &results), repeat takeResult(of: each other, from: &results))
      })
  }
}

extension ThrowableTaskType {
  /// The task of running this one and others at once, which results in the values of all, each in its task's place, or in the first
  /// failure.
  ///
  /// ```swift
  /// let (user, posts) = try userTask.zip(postsTask).await()
  /// ```
  ///
  /// It is `awaitAll` as a task, which holds no thread while it waits: after the first failure the others are cancelled and waited
  /// for.
  public func zip<each Other: ThrowableTaskType>(
    _ other: repeat each Other, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<(ResultType, repeat (each Other).ResultType)> {
    var tasks = [erased(self)]
    for task in repeat each other { tasks.append(erased(task)) }
    let all = tasks.whenAll(concurrency: .max, file: file, line: line)
    return all.followed(
      by: .map(on: .taskDefault) { (values: [Any]) in
        var values = values[...]
        return (takeValue(of: self, from: &values), repeat takeValue(of: each other, from: &values))
      })
  }
}

extension SharedTask {
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
    let all = tasks.whenAll(concurrency: .max, file: file, line: line)
    let step = ChainStep.map(on: .taskDefault) { (values: [Any]) -> (T, repeat each U) in
      var values = values[...]
      return (takeValue(of: self, from: &values), repeat takeValue(of: each other, from: &values))
    }
    return SharedTask<(T, repeat each U)>(
      Chain(step, after: all.link), callingOff: sources, from: .place(CallSite(file, line)))
  }
}
