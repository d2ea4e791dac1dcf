import Dispatch

/// The steps that the operators add to a task, on whichever kind of task they are called.
extension ChainStep {
  /// Makes a value into another one.
  static func map<T, U>(on queue: DispatchQueue, _ transform: @escaping (T) throws -> U) -> ChainStep {
    ChainStep(occasion: .success, queue: queue) { result in
      .result(TaskResult { try transform(known(result.get())) })
    }
  }

  /// Goes on with the task that is made of a value.
  static func flatMap<T>(on queue: DispatchQueue, _ transform: @escaping (T) throws -> Chain.Link) -> ChainStep {
    ChainStep(occasion: .success, queue: queue) { result in
      next { try transform(known(result.get())) }
    }
  }

  /// Makes an error into another one.
  static func mapError(on queue: DispatchQueue, _ transform: @escaping (any Error) -> any Error) -> ChainStep {
    ChainStep(occasion: .failure, queue: queue) { .result($0.mapError(transform)) }
  }

  /// Makes an error into a value.
  static func recover<T>(on queue: DispatchQueue, _ transform: @escaping (any Error) throws -> T) -> ChainStep {
    ChainStep(occasion: .failure, queue: queue) { result in
      .result(result.flatMapError { error in TaskResult { try transform(error) } })
    }
  }

  /// Goes on with the task that is made of an error.
  static func recover(on queue: DispatchQueue, with transform: @escaping (any Error) throws -> Chain.Link) -> ChainStep
  {
    ChainStep(occasion: .failure, queue: queue) { result in
      guard let error = result.error else { return .result(result) }
      return next { try transform(error) }
    }
  }

  /// Makes whatever the task ended with into a value.
  static func mapResult<T, U>(
    on queue: DispatchQueue, _ transform: @escaping (TaskResult<T>) throws -> U
  ) -> ChainStep {
    ChainStep(occasion: .end, queue: queue) { result in
      .result(TaskResult { try transform(result.map(known)) })
    }
  }

  /// Goes on with the task that is made of whatever the task ended with.
  static func flatMapResult<T>(
    on queue: DispatchQueue, _ transform: @escaping (TaskResult<T>) throws -> Chain.Link
  ) -> ChainStep {
    ChainStep(occasion: .end, queue: queue) { result in
      next { try transform(result.map(known)) }
    }
  }

  /// Shows a value.
  static func inspect<T>(on queue: DispatchQueue, _ body: @escaping (T) throws -> Void) -> ChainStep {
    map(on: queue) { (value: T) in
      try body(value)
      return value
    }
  }

  /// Does something beside.
  static func always(on queue: DispatchQueue, _ body: @escaping () -> Void) -> ChainStep {
    ChainStep(occasion: .end, queue: queue) { result in
      body()
      return .result(result)
    }
  }

  private static func next(_ link: () throws -> Chain.Link) -> Next {
    switch TaskResult(catching: link) {
    case .success(let link): .chain(.of(link))
    case .failure(let error): .result(.failure(error))
    }
  }
}
