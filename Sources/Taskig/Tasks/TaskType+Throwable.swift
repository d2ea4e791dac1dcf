extension TaskType {
  /// The same work as a task that may fail and can be called off; it runs on the same queue.
  public var throwableTask: ThrowableTask<ResultType> {
    let origin = TaskOrigin.of(self) ?? .type(Self.self)
    if let link = chainLink(of: self) { return ThrowableTask(link.chain, from: origin) }
    let start = UncheckedTransfer(action(completion:))
    return ThrowableTask(
      executionQueue: executionQueue, origin: origin,
      body: .completing { completion in start.value { completion(.success($0)) } })
  }
}

extension Sequence where Element: TaskType {
  /// The same tasks, in order, as tasks that may fail and can be called off.
  public var throwableTasks: [ThrowableTask<Element.ResultType>] { map(\.throwableTask) }
}

extension Dictionary where Value: TaskType {
  /// The same tasks, under the same keys, as tasks that may fail and can be called off.
  public var throwableTasks: [Key: ThrowableTask<Value.ResultType>] { mapValues(\.throwableTask) }
}
