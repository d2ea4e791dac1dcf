extension TaskType {
  /// The same work as a task that may fail and can be called off; it runs on the same queue.
  public var throwableTask: ThrowableTask<ResultType> {
    ThrowableTask(link.chain, from: .of(self) ?? .type(Self.self))
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
