import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What calls async code off, and how it learns of it.
struct AsyncCodeCancellationTests {
  /// Async code that ends when it is cancelled, and tells when it has begun.
  private struct Sleeper: Sendable {
    let begun = Gate()
    let told = Gate()

    /// Suspends until the Swift task is cancelled.
    func sleep() async throws -> Int {
      begun.open()
      do {
        try await _Concurrency.Task.sleep(for: .seconds(3_600))
      } catch {
        told.open()
        throw error
      }
      return 1
    }

    func task() -> ThrowableTask<Int> { ThrowableTask.fromAsync { try await sleep() } }
  }

  @Test func `code whose task is cancelled before never runs`() throws {
    try withDeadline { () throws in
      for entry in EntryPoint.allCases {
        let runs = Counter()
        let task = ThrowableTask.fromAsync { runs.increment() }
        task.cancel()
        let heard = Steps<End>()
        entry.begin(task) { heard.note($0) }
        #expect(eventually { heard.all == [.cancelled] }, "\(entry): \(heard.all)")
        #expect(runs.value == 0, "\(entry)")
      }
    }
  }

  @Test func `cancelling the task cancels the code, wherever it was begun`() throws {
    try withDeadline { () throws in
      for entry in EntryPoint.allCases {
        let sleeper = Sleeper()
        let task = sleeper.task()
        let heard = Steps<End>()
        entry.begin(task) { heard.note($0) }
        #expect(sleeper.begun.pass(), "\(entry)")
        task.cancel()
        #expect(sleeper.told.pass(), "\(entry)")
        #expect(eventually { heard.all == [.cancelled] }, "\(entry): \(heard.all)")
      }
    }
  }

  @Test func `who waits goes on at once, and the code comes to its end by itself`() throws {
    try withDeadline { () throws in
      for entry in EntryPoint.allCases {
        let (begun, gate, ended) = (Gate(), AsyncGate(), Gate())
        let task = ThrowableTask<Int>.fromAsync {
          begun.open()
          await gate.pass()
          ended.open()
          return 1
        }
        let heard = Steps<End>()
        entry.begin(task) { heard.note($0) }
        #expect(begun.pass(), "\(entry)")
        task.cancel()
        #expect(eventually { heard.all == [.cancelled] }, "\(entry): \(heard.all)")
        gate.open()
        #expect(ended.pass(), "\(entry)")
        #expect(heard.all.count == 1, "\(entry)")
      }
    }
  }

  @Test func `code that is done before is not called off any more`() throws {
    try withDeadline { () throws in
      let handled = Counter()
      let task = ThrowableTask<Int>.fromAsync {
        Task.onCancel { handled.increment() }
        return 1
      }
      #expect(End(task.awaitResult()) == .value(1))
      let shared = task.start()
      #expect(End(shared.awaitResult()) == .value(1))
      task.cancel()
      shared.cancel()
      #expect(End(shared.awaitResult()) == .value(1))
      #expect(handled.value == 0)
    }
  }

  @Test func `the end of the time cancels the code`() throws {
    try withDeadline { () throws in
      let (one, two, three) = (Sleeper(), Sleeper(), Sleeper())
      #expect(End(one.task().awaitResult(timeout: .milliseconds(50))) == .timedOut)
      #expect(!one.begun.pass(within: 0) || one.told.pass())

      let outer = ThrowableTask { try ThrowableTask.awaitAsync { try await two.sleep() } }
      #expect(End(outer.awaitResult(timeout: .milliseconds(50))) == .timedOut)
      #expect(!two.begun.pass(within: 0) || two.told.pass())

      #expect(End(three.task().timeout(.milliseconds(50)).awaitResult()) == .timedOut)
      #expect(!three.begun.pass(within: 0) || three.told.pass())
    }
  }

  @Test func `the time of an await further out, and its cancellation, reach the code`() throws {
    try withDeadline { () throws in
      let (first, second) = (Sleeper(), Sleeper())
      let outer = ThrowableTask<Int> {
        try ThrowableTask(executionQueue: DispatchQueue(label: "own")) { try first.task().await() }.await()
      }
      let waiting = Aside { End(outer.awaitResult()) }
      #expect(first.begun.pass())
      outer.cancel()
      #expect(first.told.pass() && waiting.result() == .cancelled)

      // Two runs of async code, one inside the other, with code that blocks in between.
      let nested = ThrowableTask<Int>.fromAsync { try Self.blocked { try second.task().await() } }
      let other = Aside { End(nested.awaitResult()) }
      #expect(second.begun.pass())
      nested.cancel()
      #expect(second.told.pass() && other.result() == .cancelled)
    }
  }

  /// Calls `body`, which blocks, from async code.
  private static func blocked<R>(_ body: () throws -> R) rethrows -> R { try body() }

  @Test func `the losers of a race, and those beside one that fails, are cancelled`() throws {
    try withDeadline { () throws in
      let (loser, other) = (Sleeper(), Sleeper())
      let winner = ThrowableTask<Int>.fromAsync {
        loser.begun.pass()
        return 7
      }
      #expect(try [loser.task(), winner].awaitFirst() == 7)
      #expect(loser.told.pass())

      let failing = ThrowableTask<Int>.fromAsync {
        other.begun.pass()
        throw Failed()
      }
      #expect(throws: Failed.self) { try [other.task(), failing].awaitAll() }
      #expect(other.told.pass())
    }
  }

  @Test func `code of a plain task is told, and the await goes on when the code does`() throws {
    try withDeadline { () throws in
      let (begun, told, gate) = (Gate(), Gate(), AsyncGate())
      let steps = Steps<String>()
      let outer = ThrowableTask<Int> {
        let isCancelled = Task.awaitAsync {
          begun.open()
          await withTaskCancellationHandler(operation: gate.pass) { told.open() }
          steps.note("code")
          return _Concurrency.Task.isCancelled
        }
        steps.note("await \(isCancelled)")
        return 1
      }
      let shared = outer.start()
      #expect(begun.pass())
      shared.cancel()
      #expect(told.pass() && steps.all.isEmpty)
      gate.open()
      #expect(eventually { steps.all == ["code", "await true"] })
    }
  }

  @Test func `so is code of a plain task whose time is up, or that has lost a race`() throws {
    try withDeadline { () throws in
      let (late, loser) = (Sleeper(), Sleeper())
      let sleeping = Task.fromAsync { (try? await late.sleep()) ?? 0 }
      #expect(sleeping.await(timeout: .milliseconds(50)) == nil)
      #expect(!late.begun.pass(within: 0) || late.told.pass())

      let losing = Task.fromAsync { (try? await loser.sleep()) ?? 0 }
      #expect([losing, Task { loser.begun.pass() ? 7 : 8 }].awaitFirst() == 7)
      #expect(loser.told.pass())
    }
  }

  @Test func `a Swift task that is cancelled cancels what it awaits the value of`() throws {
    try withDeadline { () throws in
      let sleeper = Sleeper()
      let task = AsyncAside { End(await sleeper.task().result) }
      #expect(sleeper.begun.pass())
      task.cancel()
      #expect(sleeper.told.pass() && task.result() == .cancelled)
    }
  }
}
