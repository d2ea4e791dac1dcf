import Dispatch
import Foundation
import Testing

@testable import Taskig

/// `value` and `result`: what they give, where the action runs, and what they keep.
struct ValueTests {
  private typealias Complete = Held<Int>.Complete

  private final class Notebook {
    var lines = ["first"]
  }

  private static func completeLater(_ completion: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.global().async { completion(1) }
  }

  @Test func `a task of every kind has its value`() throws {
    try withDeadline { () throws in
      let plain = AsyncAside {
        [
          await Task { 1 }.value,
          await Task<Int> { Self.completeLater($0) }.value,
          await Task { 1 }.map { $0 }.value,
          await OwnPlainTask { 1 }.value,
          await Task.fromAsync { 1 }.value,
        ]
      }
      #expect(plain.result() == Array(repeating: 1, count: 5))

      let throwing = AsyncAside {
        do {
          return [
            try await ThrowableTask { 1 }.value,
            try await ThrowableTask<Int> { done in Self.completeLater { done(.success($0)) } }.value,
            try await ThrowableTask { 1 }.map { $0 }.delay(for: .milliseconds(1)).value,
            try await OwnTask { 1 }.value,
            try await ThrowableTask { 1 }.start().value,
            try await SharedTask(.success(1)).value,
            try await Task { 1 }.throwableTask.value,
            try await ThrowableTask.fromAsync { 1 }.value,
          ]
        } catch { return [] }
      }
      #expect(throwing.result() == Array(repeating: 1, count: 8))
    }
  }

  @Test func `or its error, thrown or as a result`() throws {
    try withDeadline { () throws in
      for face in Face.each({ throw Failed(number: 3) }) {
        let ends = AsyncAside { await (face.asyncEnd(), face.thrownEnd()) }.result()
        #expect(ends?.0 == .failed && ends?.1 == .failed)
      }
      let error = AsyncAside { await ThrowableTask<Int> { throw Failed(number: 3) }.result }.result()
      #expect(throws: Failed(number: 3)) { try error?.get() }
      let dropped = ThrowableTask<Int> { (_: @escaping Complete) in }.named("dropped")
      let lost = AsyncAside { await dropped.result }.result()
      #expect(lost.map(End.init) == .lost)
      guard case .failure(let lost)? = lost else { return }
      #expect("\(lost)".contains("dropped") && "\(lost)".contains("ValueTests.swift"))
    }
  }

  @Test func `the action runs on the task's queue, or where it may block`() throws {
    try withDeadline { () throws in
      let own = NamedQueue("own")
      let names = AsyncAside {
        [
          await Task(executionQueue: own.queue) { own.nameHere() }.value,
          try? await ThrowableTask(executionQueue: own.queue) { own.nameHere() }.value,
          await Task(executionQueue: own.queue) { own.nameHere() }.map(on: own.queue) { _ in own.nameHere() }.value,
        ]
      }
      #expect(names.result() == ["own", "own", "own"])

      // Were one of them on the thread of the async code, none would ever see the others.
      let meeting = Meeting(of: 50)
      let met = AsyncAside {
        await withTaskGroup(of: Bool.self) { group in
          for _ in 0..<50 { group.addTask { await Task { meeting.join() }.value } }
          return await group.reduce(true) { $0 && $1 }
        }
      }
      #expect(met.result() == true)
    }
  }

  @Test func `each await runs a cold task again, and a shared one never`() throws {
    try withDeadline { () throws in
      let runs = Counter()
      let cold = ThrowableTask { runs.increment() }
      let shared = ThrowableTask { runs.increment() }.start()
      let values = AsyncAside {
        [try? await cold.value, try? await cold.value, try? await shared.value, try? await shared.value]
      }
      #expect(values.result()?.count == 4 && runs.value == 3)
    }
  }

  @Test func `several await one run of a shared task at once`() throws {
    try withDeadline { () throws in
      let held = Held<Int>()
      let shared = held.task().start()
      let waiting = (0..<20).map { _ in AsyncAside { End(await shared.result) } }
      #expect(held.hasBegun())
      held.complete(.success(4))
      #expect(waiting.compactMap { $0.result() } == Array(repeating: .value(4), count: 20))
      #expect(held.count == 1)
      held.drop()
    }
  }

  @Test func `a thousand that are awaited at once need no thread each`() async {
    // In a process of its own, where no other test has threads of its own.
    await #expect(processExitsWith: .success) {
      exitLate(after: 120)
      let before = Machine.threads
      let held = Held<Int>()
      let sum = AsyncAside {
        await withTaskGroup(of: Int.self) { group in
          for _ in 0..<1_000 { group.addTask { (try? await held.task().value) ?? 0 } }
          return await group.reduce(0, +)
        }
      }
      guard held.hasBegun(1_000) else { exit(1) }
      // A thread each would stay; those that a busy machine has had brought to begin them end after some seconds.
      if let before, !Machine.comesDown(toThreads: before + 499) { exit(2) }
      held.release(.success(1))
      guard sum.result() == 1_000 else { exit(3) }
    }
  }

  @Test func `a result need not be Sendable`() throws {
    try withDeadline { () throws in
      let count = AsyncAside {
        let notebook = await Task { Notebook() }.value
        notebook.lines.append("second")
        let other = try? await ThrowableTask { Notebook() }.value
        return notebook.lines.count + (other?.lines.count ?? 0)
      }
      #expect(count.result() == 3)
    }
  }

  @Test func `it can be awaited on the main actor, of a task of the main queue too`() async {
    await #expect(processExitsWith: .exitCode(3)) { @MainActor in
      exitLate()
      let task = Task(executionQueue: .main) { isOnMain() }
      let value = await task.value
      let result = await task.throwableTask.result
      let elsewhere = await Task { 1 }.value
      MainActor.assertIsolated()
      exit(value && (try? result.get()) == true && elsewhere == 1 ? 3 : 4)
    }
  }

  @Test func `a plain task that lets go of its completion traps`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      _ = await Task<Int> { (_: @escaping @Sendable (Int) -> Void) in }.value
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("never completed") && said.contains("ValueTests.swift"), "\(said)")
    await #expect(processExitsWith: .signal(SIGILL)) {
      exitLate()
      for await _ in [Task<Int> { (_: @escaping @Sendable (Int) -> Void) in }].asCompleted() {}
    }
  }

  @Test func `nothing is kept alive when it is done`() throws {
    try withDeadline { () throws in
      let population = Population()
      let done = AsyncAside {
        let member = population.member()
        let body: @Sendable () -> Int = { withExtendedLifetime(member) { 1 } }
        _ = await Task(action: body).value
        _ = try? await ThrowableTask(action: body).value
        _ = try? await ThrowableTask(executionQueue: DispatchQueue(label: "own"), action: body).value
        _ = try? await OwnTask(body).value
        return true
      }
      #expect(done.result() == true)
      #expect(population.hasDied(), "\(population.count)")
    }
  }
}
