import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What async code takes over from those who wait for it: what they hold, their priority, their task-local values.
struct AsyncCodeLendingTests {
  @TaskLocal private static var number = 0

  private let first = NamedQueue("first")
  private let second = NamedQueue("second")

  /// Awaits a task of `queue` from async code, in a way that blocks.
  private static func name(on queue: NamedQueue) -> String? {
    Task(executionQueue: queue.queue) { queue.nameHere() }.await()
  }

  @Test func `a queue's holder is lent to what async code awaits, blocking or not`() throws {
    let first = first
    try withDeadline {
      let names = Task(executionQueue: first.queue) {
        Task.awaitAsync {
          await _Concurrency.Task.yield()
          let blocking = Self.name(on: first)
          await _Concurrency.Task.yield()
          return [blocking, await Task(executionQueue: first.queue) { first.nameHere() }.value]
        }
      }.await()
      #expect(names == ["first", "first"])
    }
  }

  @Test func `async code begins on no queue of the one who waits for it`() throws {
    let first = first
    try withDeadline {
      let lane = Lane.of(first.queue)
      let isThere = Task(executionQueue: first.queue) { Task.awaitAsync { lane.isCurrent } }.await()
      #expect(!isThere)
    }
  }

  @Test func `so is it to child tasks and to loops over tasks`() throws {
    let first = first
    try withDeadline {
      let names = Task(executionQueue: first.queue) {
        Task.awaitAsync {
          let task = Task(executionQueue: first.queue) { first.nameHere() }
          async let one = task.value
          var names = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<10 { group.addTask { Self.name(on: first) } }
            return await group.reduce(into: []) { $0.append($1) }
          }
          names.append(await one)
          for await name in Array(repeating: task, count: 10).asCompleted(concurrency: 3) { names.append(name) }
          for await (_, result) in [task.throwableTask].resultsAsCompleted() { names.append(try? result.get()) }
          return names
        }
      }.await()
      #expect(names == Array(repeating: "first", count: 22))
    }
  }

  @Test func `so is it through other queues and through other async code`() throws {
    let (first, second) = (first, second)
    try withDeadline {
      let name = first.queue.sync {
        Task.awaitAsync {
          await Task(executionQueue: second.queue) {
            Task.awaitAsync {
              await _Concurrency.Task.yield()
              return [Self.name(on: first), await Task(executionQueue: second.queue) { second.nameHere() }.value]
            }
          }.value
        }
      }
      #expect(name == ["first", "second"])
    }
  }

  @Test func `so is it with a timeout, in collections, to shared tasks and in a run loop`() throws {
    let first = first
    try withDeadline {
      let names = Task(executionQueue: first.queue) { () -> [String?] in
        let task = ThrowableTask.fromAsync { () -> String? in
          await _Concurrency.Task.yield()
          return Self.name(on: first)
        }
        let many = (try? [task, task].awaitAll()) ?? []
        return [
          try? task.await(timeout: .seconds(60)), try? task.start().await(), try? [task, task].awaitFirst(),
          try? task.map { $0 }.await(), try? task.awaitInRunLoop(),
        ] + many
      }.await()
      #expect(names == Array(repeating: "first", count: 7))
    }
  }

  @Test func `so is it to shared tasks that are under way already`() throws {
    let first = first
    try withDeadline {
      let names = Task(executionQueue: first.queue) { () -> [String?] in
        // Its turn comes only when this is done, or lends the queue.
        let inLine = Task(executionQueue: first.queue) { first.nameHere() }.start()
        let code = Task.fromAsync { await Task(executionQueue: first.queue) { first.nameHere() }.value }.start()
        let derived = code.map { $0 }
        return [inLine, code, derived].map { shared in Task.awaitAsync { (try? await shared.value) ?? nil } }
      }.await()
      #expect(names == ["first", "first", "first"])
    }
  }

  @Test func `several runs that want the queue at once get it one at a time`() throws {
    let first = first
    try withDeadline {
      let running = Counter()
      let names = Task(executionQueue: first.queue) {
        (0..<50).map { _ in
          Task.fromAsync {
            await Task(executionQueue: first.queue) {
              running.increment()
              defer { running.decrement() }
              return first.nameHere()
            }.value
          }
        }.awaitAll()
      }.await()
      #expect(Set(names) == ["first"] && names.count == 50)
      #expect(running.peak == 1)
    }
  }

  @Test func `async code and code that blocks alternate hundreds of levels deep`() throws {
    let first = first
    try withDeadline {
      @Sendable func descend(_ level: Int) -> String? {
        guard level > 0 else { return Self.name(on: first) }
        return Task.awaitAsync {
          await _Concurrency.Task.yield()
          return descend(level - 1)
        }
      }
      #expect(Task(executionQueue: first.queue) { descend(Machine.depth(200)) }.await() == "first")
    }
  }

  @Test func `the priority is the caller's, or the one that is named`() throws {
    try withDeadline {
      let named = [TaskPriority.high, .low, .background].map { priority in
        Task.awaitAsync(priority: priority) { _Concurrency.Task.basePriority == priority }
      }
      #expect(named == [true, true, true])
      let throwing = try? ThrowableTask.awaitAsync(priority: .low) { _Concurrency.Task.basePriority }
      #expect(throwing == .low)

      // Not in Swift's own pool, which tests that wait may fill.
      let found = AsyncAside(priority: .high) {
        Self.blocked { Task.awaitAsync { _Concurrency.Task.basePriority } }
      }
      #expect(found.result() == .high)
    }
  }

  /// Calls `body`, which blocks, from async code.
  private static func blocked<R>(_ body: () -> R) -> R { body() }

  @Test func `task-local values are there where the calling thread begins the run`() throws {
    try withDeadline {
      let code: @Sendable () async -> [Int] = {
        let early = Self.number
        await _Concurrency.Task.yield()
        async let child = Self.number
        return [early, Self.number, await child]
      }
      let (own, task, throwing) = Self.$number.withValue(7) {
        (
          Task.awaitAsync { await code() }, Task.fromAsync { await code() }.await(),
          try? ThrowableTask.awaitAsync { await code() }
        )
      }
      #expect(own == [7, 7, 7])
      #expect(task == own && throwing == own)
      // They do not stay behind on the threads.
      #expect(Task.awaitAsync { await code() } == [0, 0, 0])
    }
  }

  @Test func `from async code, through code that blocks, they reach async code again`() throws {
    try withDeadline {
      let inner = AsyncAside {
        await Self.$number.withValue(8) {
          await _Concurrency.Task.yield()
          return Self.blocked { Task.awaitAsync { Self.number } }
        }
      }
      #expect(inner.result() == 8)
    }
  }
}
