import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Each trap stops a child process of the test, and says on standard error what is wrong, where, and what to do.
struct TrapTests {
  private func expect(
    _ result: ExitTest.Result?, says texts: String..., location: SourceLocation = #_sourceLocation
  ) {
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for text in texts + ["TrapTests.swift:"] {
      #expect(said.contains(text), "standard error was: \(said)", sourceLocation: location)
    }
  }

  @Test func `awaiting a task of the main queue on the main queue traps`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      DispatchQueue.main.async { Task<Int>(executionQueue: .main) { 1 }.await() }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    expect(result, says: "deadlock", "async { }")
  }

  @Test func `a concurrency of zero or less traps`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      _ = blocking { [Task<Int> { 1 }].awaitAll(concurrency: 0) }
    }
    expect(result, says: "The concurrency is 0.", "Int.max")
    await #expect(processExitsWith: .signal(SIGILL)) {
      _ = try blocking { try [ThrowableTask { 1 }].awaitAll(concurrency: -1) }
    }
    await #expect(processExitsWith: .signal(SIGILL)) {
      _ = blocking { [ThrowableTask { 1 }].awaitAllResults(concurrency: .min) }
    }
    await #expect(processExitsWith: .signal(SIGILL)) {
      _ = blocking { [Task<Int> { 1 }, Task<Int> { 2 }].awaitFirst(concurrency: 0) }
    }
    await #expect(processExitsWith: .signal(SIGILL)) {
      _ = blocking { ["a": Task<Int> { 1 }].awaitAll(concurrency: 0) }
    }
    await #expect(processExitsWith: .signal(SIGILL)) { _ = blocking { [Task<Int>]().awaitAll(concurrency: 0) } }
  }

  @Test func `the first of no plain tasks traps`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      _ = blocking { [Task<Int>]().awaitFirst() }
    }
    expect(result, says: "no tasks", "isEmpty")
    await #expect(processExitsWith: .signal(SIGILL)) { _ = blocking { [String: Task<Int>]().awaitFirst() } }
  }

  @Test func `a delay that is not a number traps`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      Task.async(delayBy: .nan) {}
    }
    expect(result, says: "NaN", ".infinity")
    await #expect(processExitsWith: .signal(SIGILL)) { Task<Int> { 1 }.async(delayBy: .nan) { _ in } }
    await #expect(processExitsWith: .signal(SIGILL)) { ThrowableTask { 1 }.async(delayBy: .nan) { _ in } }
  }

  @Test func `a plain task that drops its completion stops whoever awaits it`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      _ = blocking { Task<Int> { (_: @escaping @Sendable (Int) -> Void) in }.await() }
    }
    expect(result, says: "Task<Int> made at", "never completed", "ThrowableTask")
    await #expect(processExitsWith: .signal(SIGILL)) {
      let dropping = Task<Int> { (completion: @escaping @Sendable (Int) -> Void) in
        DispatchQueue.global().async { withExtendedLifetime(completion) {} }
      }
      _ = blocking { dropping.await() }
    }
    await #expect(processExitsWith: .signal(SIGILL)) {
      let dropping = Task<Int> { (_: @escaping @Sendable (Int) -> Void) in }
      _ = blocking { [dropping, Task<Int> { 1 }].awaitAll() }
    }
    await #expect(processExitsWith: .signal(SIGILL)) {
      Task<Int> { (_: @escaping @Sendable (Int) -> Void) in }.async { _ in }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `awaits nested on one queue until its stack is used up trap`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      let queue = DispatchQueue(label: "deep")
      @Sendable func nest() { Task(executionQueue: queue) { nest() }.await() }
      nest()
    }
    expect(result, says: "deep", "stack", "name no queue")
  }
}
