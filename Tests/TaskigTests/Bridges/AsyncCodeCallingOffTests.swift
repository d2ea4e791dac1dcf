import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Taskig's own means inside async code: `Task.isCancelled`, `Task.onCancel` and awaits that block.
struct AsyncCodeCallingOffTests {
  private static func block(_ held: Held<Int>) -> End { End(held.task().awaitResult()) }

  @Test(arguments: EntryPoint.allCases)
  func `async code can ask Taskig whether it is cancelled, before and after it suspends`(_ entry: EntryPoint) throws {
    try withDeadline { () throws in
      let (begun, told, gate) = (Gate(), Gate(), AsyncGate())
      let seen = Steps<[Bool]>()
      let task = ThrowableTask<Int>.fromAsync {
        seen.note([_Concurrency.Task.isCancelled, Task.isCancelled])
        begun.open()
        await withTaskCancellationHandler(operation: gate.pass) { told.open() }
        seen.note([_Concurrency.Task.isCancelled, Task.isCancelled, (try? Task.checkCancellation()) == nil])
        return 1
      }
      entry.begin(task) { _ in }
      #expect(begun.pass())
      task.cancel()
      #expect(told.pass())
      gate.open()
      #expect(eventually { seen.all.count == 2 })
      #expect(seen.all == [[false, false], [true, true, true]], "\(entry)")
    }
  }

  @Test(arguments: EntryPoint.allCases)
  func `a handler that async code has registered is called once when it is cancelled`(_ entry: EntryPoint) throws {
    try withDeadline { () throws in
      let (begun, gate) = (Gate(), AsyncGate())
      let (early, late, unneeded) = (Counter(), Counter(), Counter())
      let task = ThrowableTask<Int>.fromAsync {
        Task.onCancel { early.increment() }
        begun.open()
        await gate.pass()
        Task.onCancel { late.increment() }
        return 1
      }
      entry.begin(task) { _ in }
      #expect(begun.pass())
      task.cancel()
      #expect(eventually { early.value == 1 }, "\(entry)")
      gate.open()
      // It has been cancelled already.
      #expect(eventually { late.value == 1 })
      #expect(early.value == 1)

      let heard = Steps<End>()
      let other = ThrowableTask<Int>.fromAsync {
        Task.onCancel { unneeded.increment() }
        return 1
      }
      entry.begin(other) { heard.note($0) }
      #expect(eventually { heard.all == [.value(1)] })
      other.cancel()
      #expect(unneeded.value == 0)
    }
  }

  @Test(arguments: EntryPoint.allCases)
  func `an await that blocks inside async code is called off with it`(_ entry: EntryPoint) throws {
    try Self.expectCalledOff(entry) { held in
      await _Concurrency.Task.yield()
      return Self.block(held)
    }
  }

  @Test(arguments: EntryPoint.allCases)
  func `so is one in a child task`(_ entry: EntryPoint) throws {
    try Self.expectCalledOff(entry) { held in
      async let end = Self.block(held)
      return await end
    }
  }

  /// Expects that what blocks in async code, begun in a way, ends when its task is cancelled.
  private static func expectCalledOff(
    _ entry: EntryPoint, _ blocking: @escaping @Sendable (Held<Int>) async -> End
  ) throws {
    try withDeadline { () throws in
      let held = Held<Int>()
      let seen = Steps<End>()
      let task = ThrowableTask<Int>.fromAsync {
        seen.note(await blocking(held))
        return 1
      }
      entry.begin(task) { _ in }
      #expect(held.hasBegun())
      task.cancel()
      #expect(eventually { seen.all == [.cancelled] }, "\(entry)")
      held.release(.success(2))
    }
  }
}
