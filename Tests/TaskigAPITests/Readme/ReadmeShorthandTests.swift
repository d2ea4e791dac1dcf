import Foundation
import Taskig
import Testing

/// The forms that the original has and its README only mentions.
@Suite struct ReadmeShorthandTests {
  @Test func `Task.await runs a closure and returns what it returns`() async throws {
    let sum = try await withDeadline("Task.await") {
      let sum = Task.await { 1 + 2 }
      Task.await {
        // Two statements, so that the closure's type is not told by its only expression.
        let doubled = sum * 2
        precondition(doubled == 6)
      }
      return sum
    }
    #expect(sum == 3)
  }

  @Test func `ThrowableTask.await throws what its closure throws`() async throws {
    await #expect(throws: "not today") {
      try await withDeadline("ThrowableTask.await") {
        try ThrowableTask<Void>.await { throw "not today" }
      }
    }
    let text = try await withDeadline("ThrowableTask.await that succeeds") {
      try ThrowableTask.await { "today" }
    }
    #expect(text == "today")
  }

  @Test func `Task.async and ThrowableTask.async run a closure that nobody waits for`() async throws {
    let letters = try await withDeadline("static async") {
      let letters = Shared<Set<String>>([])
      let all = DispatchGroup()
      for _ in 1...4 { all.enter() }
      let note = { @Sendable (letter: String) in
        _ = letters.withLock { $0.insert(letter) }
        all.leave()
      }
      Task.async { note("a") }
      Task.async(executionQueue: .utility) { note("b") }
      ThrowableTask.async { note("c") }
      ThrowableTask.async(executionQueue: .utility) {
        note("d")
        throw "nobody hears this"
      }
      all.wait()
      return letters.current
    }
    #expect(letters == ["a", "b", "c", "d"])
  }

  @Test func `async(delayBy:) starts no sooner than told`() async throws {
    let clock = ContinuousClock()
    let delay = try await withDeadline("async(delayBy:)") {
      let start = clock.now
      let started = caught { started in
        Task { clock.now }.async(delayBy: 0.02) { started($0) }
      }
      return started - start
    }
    #expect(delay >= .milliseconds(20))
  }

  @Test func `async without a handler runs the task, after a delay too`() async throws {
    let runs = try await withDeadline("async without a handler") {
      let runs = Shared(0)
      let all = DispatchGroup()
      for _ in 1...4 { all.enter() }
      let task = Task {
        runs.increment()
        all.leave()
      }
      let throwable = ThrowableTask {
        runs.increment()
        all.leave()
      }
      task.async()
      task.async(delayBy: 0.001)
      throwable.async()
      throwable.async(delayBy: 0.001)
      all.wait()
      return runs.current
    }
    #expect(runs == 4)
  }

  @Test(arguments: [
    (DispatchQueue.userInteractive, DispatchQoS.QoSClass.userInteractive), (.userInitiated, .userInitiated),
    (.utility, .utility), (.background, .background),
  ])
  func `a queue's shorthand is the system's queue of that name`(
    shorthand: DispatchQueue, qos: DispatchQoS.QoSClass
  ) async throws {
    #expect(shorthand.label == DispatchQueue.global(qos: qos).label)
    let ran = try await withDeadline("a queue's shorthand") {
      Task(executionQueue: shorthand) {
        dispatchPrecondition(condition: .onQueue(.global(qos: qos)))
        return true
      }.await()
    }
    #expect(ran)
  }
}
