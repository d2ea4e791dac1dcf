import Dispatch
import Foundation
import Testing

@testable import Taskig

extension End {
  /// How far a shared task is; `nil` if it is pending.
  init?(_ state: SharedTask<Int>.State) {
    switch state {
    case .pending: return nil
    case .success(let value): self = .value(value)
    case .failure(let error): self.init(TaskResult.failure(error))
    case .cancelled: self = .cancelled
    }
  }
}

/// Ways to have the outcome of a shared task.
struct SharedTaskUse: Sendable, CustomStringConvertible {
  let description: String
  let end: @Sendable (SharedTask<Int>) -> End

  private init(_ description: String, _ result: @escaping @Sendable (SharedTask<Int>) throws -> Int) {
    self.description = description
    end = { shared in End(TaskResult { try result(shared) }) }
  }

  static let all = awaits + collections + operators

  private static let awaits = [
    SharedTaskUse("await") { try $0.await() },
    SharedTaskUse("awaitResult") { try $0.awaitResult().get() },
    SharedTaskUse("await(timeout:)") { try $0.await(timeout: .seconds(3_600)) },
    SharedTaskUse("await in a task") { shared in try ThrowableTask { try shared.await() }.await() },
    SharedTaskUse("await on a queue") { shared in
      try ThrowableTask(executionQueue: DispatchQueue(label: "own")) { try shared.await() }.await()
    },
    SharedTaskUse("async") { shared in
      let result = Steps<TaskResult<Int>>()
      let heard = Gate()
      shared.async {
        result.note($0)
        heard.open()
      }
      heard.pass()
      return try result.all[0].get()
    },
    SharedTaskUse("action") { shared in
      try ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in shared.action(completion: completion) }
        .await()
    },
    SharedTaskUse("start") { try $0.start().await() },
  ]

  private static let collections = [
    SharedTaskUse("awaitAll") { try [$0, $0].awaitAll()[1] },
    SharedTaskUse("awaitAll one by one") { try [$0, $0].awaitAll(concurrency: 1)[1] },
    SharedTaskUse("awaitAllResults") { try [$0].awaitAllResults()[0].get() },
    SharedTaskUse("awaitAll(timeout:)") { try [$0, $0].awaitAll(timeout: .seconds(3_600))[1] },
    SharedTaskUse("awaitFirst") { try [$0, $0].awaitFirst() },
    SharedTaskUse("awaitAll of a dictionary") { try ["a": $0, "b": $0].awaitAll()["b"] ?? -1 },
    SharedTaskUse("whenAll") { try [$0, $0].whenAll().await()[1] },
    SharedTaskUse("whenAllResults") { try [$0].whenAllResults().await()[0].get() },
    SharedTaskUse("whenAny") { try [$0, $0].whenAny().await() },
    SharedTaskUse("zip") { shared in
      let (_, second) = try shared.zip(shared).await()
      return second
    },
  ]

  private static let operators = [
    SharedTaskUse("map") { try $0.map { $0 }.await() },
    SharedTaskUse("map on a queue") { try $0.map(on: DispatchQueue(label: "own")) { $0 }.await() },
    SharedTaskUse("flatMap") { try $0.flatMap { value in ThrowableTask { value } }.await() },
    SharedTaskUse("flatMap to a shared task") { shared in try shared.flatMap { _ in shared }.await() },
    SharedTaskUse("mapError") { try $0.mapError { $0 }.await() },
    SharedTaskUse("recover") { try $0.recover { throw $0 }.await() },
    SharedTaskUse("mapResult") { try $0.mapResult { try $0.get() }.await() },
    SharedTaskUse("flatMapResult") { try $0.flatMapResult { result in ThrowableTask { try result.get() } }.await() },
    SharedTaskUse("always") { try $0.always {}.await() },
    SharedTaskUse("timeout") { try $0.timeout(.seconds(3_600)).await() },
    SharedTaskUse("delay") { try $0.delay(for: .zero).await() },
    SharedTaskUse("the next of a cold task") { shared in try ThrowableTask {}.flatMap { shared }.await() },
  ]
}

struct SharedTaskTests {
  private static let queues: [DispatchQueue] = [.taskDefault, DispatchQueue(label: "own"), .utility]

  @Test func `it runs once, however often and from wherever it is awaited`() throws {
    try withDeadline {
      for queue in Self.queues {
        let (runs, hold, start) = (Counter(), Gate(), Meeting(of: 9))
        let shared = ThrowableTask<Int>(executionQueue: queue) {
          hold.pass()
          return runs.increment()
        }.start()
        let waiting = (0..<8).map { _ in
          Aside {
            _ = start.join()
            return (0..<10).map { _ in End(shared.awaitResult()) }
          }
        }
        #expect(start.join())
        hold.open()
        for each in waiting { #expect(each.result() == Array(repeating: .value(1), count: 10)) }
        for use in SharedTaskUse.all { #expect(use.end(shared) == .value(1), "\(use)") }
        #expect(runs.value == 1)
      }
    }
  }

  @Test func `start returns at once, and the task runs though nobody awaits it`() throws {
    try withDeadline {
      for queue in Self.queues {
        let (hold, ran) = (Gate(), Gate())
        let shared = Task(executionQueue: queue) {
          hold.pass()
          ran.open()
        }.start()
        #expect(!shared.isCompleted)
        hold.open()
        #expect(ran.pass())
        #expect(eventually { shared.isCompleted })
      }
    }
  }

  @Test func `nobody has to hold it for it to run`() throws {
    try withDeadline {
      for queue in Self.queues {
        let (hold, ran) = (Gate(), Gate())
        do {
          _ = ThrowableTask(executionQueue: queue) { hold.pass() }.start().map { _ in ran.open() }
        }
        hold.open()
        #expect(ran.pass())
      }
    }
  }

  @Test func `a shared task that is started is the same one`() {
    let shared = TaskCompletionSource<Int>().task
    #expect(shared.start() === shared)
  }

  @Test func `what is made of several shared tasks is a shared task`() throws {
    try withDeadline {
      let shared = ThrowableTask { 1 }.start()
      let all = [shared, shared].whenAll()
      let results = [shared, shared].whenAllResults()
      let first = [shared, shared].whenAny()
      let success = [shared, shared].whenAnySuccess()
      let zipped = shared.zip(shared)
      #expect(type(of: all) == SharedTask<[Int]>.self)
      #expect(type(of: results) == SharedTask<[TaskResult<Int>]>.self)
      #expect(type(of: first) == SharedTask<Int>.self)
      #expect(type(of: success) == SharedTask<Int>.self)
      #expect(type(of: zipped) == SharedTask<(Int, Int)>.self)
    }
  }

  @Test func `each start runs the task again`() throws {
    try withDeadline { () throws in
      let runs = Counter()
      let task = ThrowableTask<Int> { runs.increment() }
      let shared = (0..<5).map { _ in task.start() }
      #expect(try Set(shared.awaitAll()) == [1, 2, 3, 4, 5])
    }
  }

  @Test func `its state can be asked for without blocking`() throws {
    try withDeadline {
      let source = TaskCompletionSource<Int>()
      #expect(End(source.task.state) == nil && !source.task.isCompleted && !source.task.isCancelled)
      let outcomes: [(TaskResult<Int>, End)] = [
        (.success(3), .value(3)), (.failure(Failed()), .failed),
        (.failure(CancellableTaskError.taskWasCancelled), .cancelled), (.failure(CancellationError()), .cancelled),
      ]
      for (outcome, end) in outcomes {
        let (source, hold) = (TaskCompletionSource<Int>(), Gate())
        let started = ThrowableTask { () throws -> Int in
          hold.pass()
          return try outcome.get()
        }.start()
        #expect(End(started.state) == nil && !started.isCompleted && !started.isCancelled)
        hold.open()
        source.set(outcome)
        _ = started.awaitResult()
        for shared in [source.task, started] {
          #expect(End(shared.state) == end)
          #expect(shared.isCompleted)
          #expect(shared.isCancelled == (end == .cancelled))
        }
      }
      source.set(1)
      #expect(End(source.task.state) == .value(1) && source.task.isCompleted && !source.task.isCancelled)
    }
  }

  @Test(arguments: SharedTaskUse.all)
  func `every way to have the outcome has it, before and after`(_ use: SharedTaskUse) throws {
    try withDeadline {
      for (outcome, end) in [
        (.success(1), .value(1)), (.failure(Failed()), .failed),
        (.failure(CancellableTaskError.taskWasCancelled), .cancelled),
      ] as [(TaskResult<Int>, End)] {
        for waiters in [1, 3] {
          let source = TaskCompletionSource<Int>()
          let start = Meeting(of: waiters + 1)
          let waiting = (0..<waiters).map { _ in
            Aside {
              _ = start.join()
              return use.end(source.task)
            }
          }
          #expect(start.join())
          source.set(outcome)
          for each in waiting { #expect(each.result() == end) }
          #expect(use.end(source.task) == end)
        }
      }
    }
  }

  @Test func `one that is done is had however little time there is`() throws {
    try withDeadline {
      let (source, failing) = (TaskCompletionSource<Int>(), TaskCompletionSource<Int>())
      source.set(1)
      failing.set(error: Failed())
      for timeout in [Duration.seconds(-1), .zero, .nanoseconds(1), .seconds(Int64.max)] {
        #expect(End(source.task.awaitResult(timeout: timeout)) == .value(1), "\(timeout)")
        #expect(End(failing.task.awaitResult(timeout: timeout)) == .failed, "\(timeout)")
      }
      let pending = TaskCompletionSource<Int>()
      #expect(End(pending.task.awaitResult(timeout: .zero)) == .timedOut)
    }
  }

  @Test func `an action that lets go of its completion fails it, plain or not, and it says which task`() throws {
    try withDeadline {
      let line = #line + 1
      let plain = Task<Int> { (_: @escaping @Sendable (Int) -> Void) in }.start()
      let throwing = ThrowableTask<Int> { (_: @escaping Held<Int>.Complete) in }.start()
      for (shared, line) in [(plain, line), (throwing, line + 1)] {
        guard case .failure(TaskigError.neverCompleted(let task)) = shared.awaitResult() else {
          Issue.record("\(shared.state)")
          continue
        }
        #expect(task.contains("SharedTaskTests.swift:\(line)"), "\(task)")
      }
    }
  }

  @Test func `an action that completes later, from another thread, or twice gives its first outcome`() throws {
    try withDeadline {
      let held = Held<Int>()
      let shared = held.task().start()
      #expect(held.hasBegun())
      let waiting = Aside { End(shared.awaitResult()) }
      held.complete(.success(1))
      #expect(waiting.result() == .value(1))
      #expect(End(shared.state) == .value(1) && held.count == 1)
    }
  }

  @Test func `tasks of a type of their own, plain tasks and async functions' callers can share`() async throws {
    let own = OwnTask { 5 }.start()
    let plain = Task { 6 }.start()
    let ownValue = try await own.value
    let plainValue = try await plain.value
    #expect(ownValue == 5 && plainValue == 6)
  }
}
