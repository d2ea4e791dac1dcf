import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What cancelling a task, or the Swift task that awaits its value, does.
struct ValueCancellationTests {
  private typealias Complete = Held<Int>.Complete

  @Test func `a task that is cancelled before never runs`() throws {
    try withDeadline { () throws in
      for face in Face.eachCancelled {
        #expect(AsyncAside { await face.asyncEnd() }.result() == .cancelled)
        #expect(AsyncAside { await face.thrownEnd() }.result() == .cancelled)
      }
      let runs = Counter()
      let task = ThrowableTask { runs.increment() }
      task.cancel()
      #expect(AsyncAside { End(await task.result) }.result() == .cancelled)
      #expect(runs.value == 0)
    }
  }

  @Test func `one that is cancelled while it is awaited ends at once`() throws {
    try withDeadline { () throws in
      let held = Held<Int>()
      for face in Face.each(held) {
        let before = held.count
        let waiting = AsyncAside { await face.asyncEnd() }
        #expect(face.isHot || held.hasBegun(before + 1))
        face.cancel()
        #expect(waiting.result() == .cancelled)
      }
      held.drop()
    }
  }

  @Test func `cancelling the Swift task cancels the run, and ends the await at once`() throws {
    try withDeadline { () throws in
      let held = Held<Int>()
      let handled = Gate()
      let task = ThrowableTask<Int> { (completion: @escaping Complete) in
        Task.onCancel { handled.open() }
        held.hold(completion)
      }
      let waiting = AsyncAside { End(await task.result) }
      #expect(held.hasBegun())
      waiting.cancel()
      #expect(handled.pass() && waiting.result() == .cancelled)
      // The run was, the task is not.
      #expect(!task.isCancelled)
      held.drop()
    }
  }

  @Test func `so it does for types of one's own, and an action that blocks sees it`() throws {
    try withDeadline { () throws in
      let held = Held<Int>()
      let own = OwnTask(held)
      let waiting = AsyncAside { End(await own.result) }
      #expect(held.hasBegun())
      waiting.cancel()
      #expect(waiting.result() == .cancelled)
      held.drop()

      let (begun, seen) = (Gate(), Gate())
      let blocking = ThrowableTask<Int>(executionQueue: DispatchQueue(label: "own")) {
        begun.open()
        do {
          try Task.sleep(for: .seconds(3_600))
        } catch {
          seen.open()
          throw error
        }
        return 1
      }
      let other = AsyncAside { End(await blocking.result) }
      #expect(begun.pass())
      other.cancel()
      #expect(seen.pass() && other.result() == .cancelled)
    }
  }

  @Test func `in a Swift task that is cancelled already, no action runs`() throws {
    try withDeadline { () throws in
      let (runs, gate) = (Counter(), AsyncGate())
      let waiting = AsyncAside {
        await gate.pass()
        return [
          End(await ThrowableTask { runs.increment() }.result), End(await OwnTask { runs.increment() }.result),
          End(await ThrowableTask(executionQueue: .utility) { runs.increment() }.result),
        ]
      }
      waiting.cancel()
      gate.open()
      #expect(waiting.result() == [.cancelled, .cancelled, .cancelled])
      #expect(runs.value == 0)
    }
  }

  @Test func `a task that is done before the Swift task is cancelled has its value`() throws {
    try withDeadline { () throws in
      let (done, go) = (Gate(), AsyncGate())
      let later = AsyncAside {
        let result = await ThrowableTask { 1 }.result
        done.open()
        await go.pass()
        return End(result)
      }
      #expect(done.pass())
      later.cancel()
      go.open()
      #expect(later.result() == .value(1))
    }
  }

  @Test func `a shared task goes on for the others when one who awaits it is cancelled`() throws {
    try withDeadline { () throws in
      let held = Held<Int>()
      let shared = held.task().start()
      let (leaving, staying) = (AsyncAside { End(await shared.result) }, AsyncAside { End(await shared.result) })
      #expect(held.hasBegun())
      leaving.cancel()
      #expect(leaving.result() == .cancelled)
      #expect(!shared.isCancelled && !staying.isDone)
      held.release(.success(5))
      #expect(staying.result() == .value(5))
    }
  }

  @Test func `a shared task that is done gives its outcome in a Swift task that is cancelled, too`() throws {
    try withDeadline { () throws in
      let shared = SharedTask<Int>(.success(6))
      let started = ThrowableTask { 7 }.start()
      _ = try started.await()
      let gate = AsyncGate()
      let waiting = AsyncAside {
        await gate.pass()
        return [End(await shared.result), End(await started.result)]
      }
      waiting.cancel()
      gate.open()
      #expect(waiting.result() == [.value(6), .value(7)])
    }
  }

  @Test func `a plain task runs to its end, cancelled or not`() throws {
    try withDeadline { () throws in
      let (begun, hold, gate) = (Gate(), Gate(), AsyncGate())
      let waiting = AsyncAside {
        let early = await Task { () -> Int in
          begun.open()
          hold.pass()
          return 1
        }.value
        await gate.pass()
        return [early, await Task { 2 }.value]
      }
      #expect(begun.pass())
      waiting.cancel()
      hold.open()
      gate.open()
      #expect(waiting.result() == [1, 2])
    }
  }

  @Test func `one branch of a group that fails cancels what the others await`() throws {
    try withDeadline { () throws in
      let held = Held<Int>()
      let end = AsyncAside {
        End(
          await TaskResult {
            try await withThrowingTaskGroup(of: Int.self) { group in
              for _ in 0..<3 { group.addTask { try await held.task().value } }
              group.addTask {
                try await Task { _ = held.hasBegun(3) }.throwableTask.value
                throw Failed()
              }
              return try await group.reduce(0, +)
            }
          })
      }
      #expect(end.result() == .failed)
      held.drop()
    }
  }
}

extension TaskResult where Success == Int, Failure == any Error {
  fileprivate init(_ body: () async throws -> Int) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
