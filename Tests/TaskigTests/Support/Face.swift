import Dispatch

@testable import Taskig

/// A task of one of the kinds that have the operators of a task that may fail, so that each test goes through all of them.
enum Face: Sendable {
  case cold(ThrowableTask<Int>)
  case own(OwnTask)
  case hot(SharedTask<Int>)

  /// One of each kind that runs `body`; the hot one has been started.
  static func each(on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable () throws -> Int) -> [Face] {
    let cold = ThrowableTask(executionQueue: queue) { try body() }
    return [.cold(cold), .own(OwnTask(on: queue, body)), .hot(cold.start())]
  }

  /// One of each kind whose action hands its completion to `held`.
  static func each(_ held: Held<Int>) -> [Face] {
    [.cold(held.task()), .own(OwnTask(held)), .hot(held.task().start())]
  }

  /// One of each kind that has been cancelled.
  static var eachCancelled: [Face] {
    let all = each { throw CancellableTaskError.taskWasCancelled }
    for task in all { task.cancel() }
    return all
  }

  func end() -> End {
    switch self {
    case .cold(let task): End(task.awaitResult())
    case .own(let task): End(task.awaitResult())
    case .hot(let task): End(task.awaitResult())
    }
  }

  func end(within timeout: Duration) -> End {
    switch self {
    case .cold(let task): End(task.awaitResult(timeout: timeout))
    case .own(let task): End(task.awaitResult(timeout: timeout))
    case .hot(let task): End(task.awaitResult(timeout: timeout))
    }
  }

  func cancel() {
    switch self {
    case .cold(let task): task.cancel()
    case .own(let task): task.flag.set(true)
    case .hot(let task): task.cancel()
    }
  }

  var isHot: Bool {
    if case .hot = self { true } else { false }
  }
}

extension Face {
  func map(on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable (Int) throws -> Int) -> Face {
    switch self {
    case .cold(let task): .cold(task.map(on: queue, body))
    case .own(let task): .cold(task.map(on: queue, body))
    case .hot(let task): .hot(task.map(on: queue, body))
    }
  }

  func flatMap<Next: ThrowableTaskType<Int>>(
    on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable (Int) throws -> Next
  ) -> Face {
    switch self {
    case .cold(let task): .cold(task.flatMap(on: queue, body))
    case .own(let task): .cold(task.flatMap(on: queue, body))
    case .hot(let task): .hot(task.flatMap(on: queue, body))
    }
  }

  func flatMap<Next: TaskType<Int>>(
    on queue: DispatchQueue = .taskDefault, plainly body: @escaping @Sendable (Int) throws -> Next
  ) -> Face {
    switch self {
    case .cold(let task): .cold(task.flatMap(on: queue, body))
    case .own(let task): .cold(task.flatMap(on: queue, body))
    case .hot(let task): .hot(task.flatMap(on: queue, body))
    }
  }

  func mapError(
    on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable (any Error) -> any Error
  ) -> Face {
    switch self {
    case .cold(let task): .cold(task.mapError(on: queue, body))
    case .own(let task): .cold(task.mapError(on: queue, body))
    case .hot(let task): .hot(task.mapError(on: queue, body))
    }
  }

  func recover(
    on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable (any Error) throws -> Int
  ) -> Face {
    switch self {
    case .cold(let task): .cold(task.recover(on: queue, body))
    case .own(let task): .cold(task.recover(on: queue, body))
    case .hot(let task): .hot(task.recover(on: queue, body))
    }
  }

  func recover<Next: ThrowableTaskType<Int>>(
    on queue: DispatchQueue = .taskDefault, with body: @escaping @Sendable (any Error) throws -> Next
  ) -> Face {
    switch self {
    case .cold(let task): .cold(task.recover(on: queue, body))
    case .own(let task): .cold(task.recover(on: queue, body))
    case .hot(let task): .hot(task.recover(on: queue, body))
    }
  }

  func recover<Next: TaskType<Int>>(
    on queue: DispatchQueue = .taskDefault, withPlain body: @escaping @Sendable (any Error) throws -> Next
  ) -> Face {
    switch self {
    case .cold(let task): .cold(task.recover(on: queue, body))
    case .own(let task): .cold(task.recover(on: queue, body))
    case .hot(let task): .hot(task.recover(on: queue, body))
    }
  }

  func mapResult(
    on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable (TaskResult<Int>) throws -> Int
  ) -> Face {
    switch self {
    case .cold(let task): .cold(task.mapResult(on: queue, body))
    case .own(let task): .cold(task.mapResult(on: queue, body))
    case .hot(let task): .hot(task.mapResult(on: queue, body))
    }
  }

  func flatMapResult<Next: ThrowableTaskType<Int>>(
    on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable (TaskResult<Int>) throws -> Next
  ) -> Face {
    switch self {
    case .cold(let task): .cold(task.flatMapResult(on: queue, body))
    case .own(let task): .cold(task.flatMapResult(on: queue, body))
    case .hot(let task): .hot(task.flatMapResult(on: queue, body))
    }
  }

  func always(on queue: DispatchQueue = .taskDefault, _ body: @escaping @Sendable () -> Void) -> Face {
    switch self {
    case .cold(let task): .cold(task.always(on: queue, body))
    case .own(let task): .cold(task.always(on: queue, body))
    case .hot(let task): .hot(task.always(on: queue, body))
    }
  }

  func delay(for duration: Duration) -> Face {
    switch self {
    case .cold(let task): .cold(task.delay(for: duration))
    case .own(let task): .cold(task.delay(for: duration))
    case .hot(let task): .hot(task.delay(for: duration))
    }
  }

  func timeout(_ duration: Duration) -> Face {
    switch self {
    case .cold(let task): .cold(task.timeout(duration))
    case .own(let task): .cold(task.timeout(duration))
    case .hot(let task): .hot(task.timeout(duration))
    }
  }
}

/// A plain task of a type of its own.
struct OwnPlainTask: TaskType {
  var executionQueue = DispatchQueue.taskDefault
  let body: @Sendable () -> Int

  func action(completion: @escaping @Sendable (Int) -> Void) { completion(body()) }
}

extension Face {
  /// Each operator that has a closure, which calls `observe`, after a task that succeeds or one that fails, as it needs; all result
  /// in 1.
  static func followed(
    _ success: Face, _ failure: Face, on queue: DispatchQueue = .taskDefault, by observe: @escaping @Sendable () -> Void
  ) -> [Face] {
    let value: @Sendable () -> Int = {
      observe()
      return 1
    }
    let task: @Sendable () -> ThrowableTask<Int> = {
      observe()
      return ThrowableTask { 1 }
    }
    let plain: @Sendable () -> Task<Int> = {
      observe()
      return Task { 1 }
    }
    return [
      success.map(on: queue) { _ in value() },
      success.flatMap(on: queue) { _ in task() },
      success.flatMap(on: queue, plainly: { _ in plain() }),
      failure.mapError(on: queue) { _ in Failed(number: value()) }.recover { _ in 1 },
      failure.recover(on: queue) { _ in value() },
      failure.recover(on: queue, with: { _ in task() }),
      failure.recover(on: queue, withPlain: { _ in plain() }),
      success.mapResult(on: queue) { _ in value() },
      failure.mapResult(on: queue) { _ in value() },
      success.flatMapResult(on: queue) { _ in task() },
      failure.flatMapResult(on: queue) { _ in task() },
      success.always(on: queue, observe).map { _ in 1 },
      failure.always(on: queue, observe).recover { _ in 1 },
    ]
  }
}

extension Face {
  func asyncEnd() async -> End {
    switch self {
    case .cold(let task): End(await task.result)
    case .own(let task): End(await task.result)
    case .hot(let task): End(await task.result)
    }
  }

  func thrownEnd() async -> End {
    do {
      switch self {
      case .cold(let task): return .value(try await task.value)
      case .own(let task): return .value(try await task.value)
      case .hot(let task): return .value(try await task.value)
      }
    } catch { return End(.failure(error)) }
  }
}

extension Face {
  func runLoopEnd() -> End {
    switch self {
    case .cold(let task): End(TaskResult { try task.awaitInRunLoop() })
    case .own(let task): End(TaskResult { try task.awaitInRunLoop() })
    case .hot(let task): End(TaskResult { try task.awaitInRunLoop() })
    }
  }
}
