import Dispatch
import Foundation
import Testing

@testable import Taskig

extension SettingsTests {
  /// How an observer is told of runs that end otherwise than with an outcome of their action.
  struct ObserverEndingTests {
    @Test func `a task that was cancelled before it started is told as that, and no more`() throws {
      try SettingsTests.observed { witness in
        let task = ThrowableTask { 1 }.named("cancelled")
        task.cancel()
        _ = task.awaitResult()
        _ = [task].awaitAllResults()
        #expect(witness.kinds(of: "cancelled") == ["made", "cancelled", "made", "cancelled"])
      }
    }

    @Test(arguments: ["await", "collection", "started"])
    func `a run that is cancelled in the middle is told as that, and may finish later`(face: String) throws {
      try SettingsTests.observed { witness in
        let held = Held<Int>()
        let task = held.task().named("called off")
        let waiting = Aside { () -> End in
          switch face {
          case "await": End(task.awaitResult())
          case "collection": End([task].awaitAllResults()[0])
          default: End(task.start().awaitResult())
          }
        }
        #expect(held.hasBegun())
        task.cancel()
        #expect(waiting.result() == .cancelled)
        #expect(eventually { witness.kinds(of: "called off").contains("cancelled") })
        #expect(!witness.notes(of: "called off").contains { $0.kind == "finished" && $0.run.isAwaited == false })
        held.complete(.success(1))
        #expect(eventually { witness.notes(of: "called off").contains { $0.kind == "finished" && $0.error == nil } })
      }
    }

    @Test func `a run whose time is up is told as cancelled`() throws {
      try SettingsTests.observed { witness in
        let held = Held<Int>()
        let result = held.task().named("late").awaitResult(timeout: .milliseconds(5))
        #expect(End(result) == .timedOut)
        #expect(witness.kinds(of: "late").contains("cancelled"))
        held.drop()
      }
    }

    @Test func `a completion that is dropped is told as an error`() throws {
      try SettingsTests.observed { witness in
        let held = Held<Int>()
        let waiting = Aside { End(held.task().named("dropping").awaitResult()) }
        #expect(held.hasBegun())
        held.drop()
        #expect(waiting.result() == .lost)
        let ends = witness.notes(of: "dropping").filter { $0.kind == "finished" }
        #expect(ends.count == 1)
        guard case TaskigError.neverCompleted? = ends.first?.error else {
          Issue.record("The error is \(String(describing: ends.first?.error)).")
          return
        }
      }
    }

    @Test func `a completion that is dropped on purpose, as the run is called off, is told as cancelled`() throws {
      try SettingsTests.observed { witness in
        let held = Held<Int>()
        let begun = Gate()
        let task = ThrowableTask<Int> { completion in
          held.hold(completion)
          Task.onCancel { held.drop() }
          begun.open()
        }.named("letting go")
        let waiting = Aside { End(task.awaitResult()) }
        #expect(begun.pass())
        task.cancel()
        #expect(waiting.result() == .cancelled)
        #expect(End(task.awaitResult()) == .cancelled)
        #expect(witness.notes(of: "letting go").allSatisfy { $0.kind != "finished" })
        #expect(witness.kinds(of: "letting go").filter { $0 == "cancelled" }.count == 2)
      }
    }

    @Test func `those that are called off since another was first are told as that`() throws {
      try SettingsTests.observed { witness in
        let held = Held<Int>()
        let first = ThrowableTask { held.hasBegun() ? 1 : 0 }.named("first")
        #expect(End([held.task().named("slower"), first].awaitFirstResult()) == .value(1))
        #expect(eventually { witness.kinds(of: "slower").contains("cancelled") })
        #expect(!witness.kinds(of: "first").contains("cancelled"))
        held.drop()
      }
    }
  }
}
