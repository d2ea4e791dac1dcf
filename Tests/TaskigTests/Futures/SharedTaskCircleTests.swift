import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Shared tasks that wait for themselves: each stops a child process of the test, at the line of the await.
///
/// A shared task reaches its own action through a box. The action waits at a gate until it is in there.
///
/// In the body of an exit test `#line` is the line of the macro, so those that are to be seen are given, or are outside of it.
struct SharedTaskCircleTests {
  private static let awaitLine = #line + 1
  private static func awaitHere(_ shared: SharedTask<Int>?) throws -> Int { try shared?.await() ?? 0 }

  private func expectTrap(_ result: ExitTest.Result?, line: Int = 1_001, location: SourceLocation = #_sourceLocation) {
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let place = "SharedTaskCircleTests.swift:\(line): Fatal error"
    for text in [place, "is awaited by something that it is waiting for itself", "deadlock"] {
      #expect(said.contains(text), "standard error was: \(said)", sourceLocation: location)
    }
  }

  @Test func `awaiting itself traps at the line of the await`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let (itself, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      itself.value = ThrowableTask { () throws -> Int in
        isThere.pass()
        return try Self.awaitHere(itself.value)
      }.start()
      isThere.open()
      _ = blocking { itself.value?.awaitResult() }
    }
    expectTrap(result, line: Self.awaitLine)
  }

  @Test func `so does awaiting itself through tasks, queues and collections`() async {
    let inATask = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let (itself, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      itself.value = ThrowableTask(executionQueue: DispatchQueue(label: "own")) { () throws -> Int in
        isThere.pass()
        return try ThrowableTask(executionQueue: DispatchQueue(label: "other")) {
          try itself.value?.await(line: 1_001) ?? 0
        }.await()
      }.start()
      isThere.open()
      _ = blocking { itself.value?.awaitResult() }
    }
    expectTrap(inATask)
    let inAll = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let (itself, isThere) = (Box<[SharedTask<Int>]>([]), Gate())
      let shared = ThrowableTask { () throws -> Int in
        isThere.pass()
        return try itself.value.awaitAll(line: 1_001)[0]
      }.start()
      itself.value = [ThrowableTask { 1 }.start(), shared]
      isThere.open()
      _ = blocking { shared.awaitResult() }
    }
    expectTrap(inAll)
  }

  @Test func `two that await each other trap`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let (all, areThere) = (Box<[SharedTask<Int>]>([]), Gate())
      all.value = (0..<2).map { index in
        ThrowableTask { () throws -> Int in
          areThere.pass()
          return try all.value[1 - index].await(line: 1_001)
        }.start()
      }
      areThere.open()
      _ = blocking { all.value[0].awaitResult() }
    }
    expectTrap(result)
  }

  @Test func `so do many in a circle, nobody else waiting for them`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let (all, areThere) = (Box<[SharedTask<Int>]>([]), Gate())
      all.value = (0..<10).map { index in
        ThrowableTask(executionQueue: index % 2 == 0 ? .taskDefault : DispatchQueue(label: "\(index)")) {
          areThere.pass()
          return try all.value[(index + 1) % 10].await(line: 1_001)
        }.start()
      }
      areThere.open()
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    expectTrap(result)
  }

  /// Each child is one chance: the first circle that is found ends it.
  @Test func `two that await each other at the same moment trap, whoever comes first`() async {
    for _ in 0..<Machine.stress(8) {
      let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        exitLate()
        let (all, areThere, come) = (Box<[SharedTask<Int>]>([]), Gate(), Counter())
        all.value = (0..<2).map { index in
          ThrowableTask { () throws -> Int in
            areThere.pass()
            let other = all.value[1 - index]
            // They spin at the start line: a thread that has to be woken comes too late to race with anybody.
            come.increment()
            while come.value < 2 {}
            return try other.await(line: 1_001)
          }.start()
        }
        areThere.open()
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      }
      expectTrap(result)
    }
  }

  @Test func `awaiting what was made from itself traps`() async {
    let mapped = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let (next, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      let shared = ThrowableTask { () throws -> Int in
        isThere.pass()
        return try next.value?.await(line: 1_001) ?? 0
      }.start()
      next.value = shared.map { $0 + 1 }.recover { _ in 1 }.always {}
      isThere.open()
      _ = blocking { next.value?.awaitResult() }
    }
    expectTrap(mapped)
    let gathered = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let (next, isThere) = (Box<SharedTask<[Int]>?>(nil), Gate())
      let shared = ThrowableTask { () throws -> Int in
        isThere.pass()
        return try next.value?.await(line: 1_001)[0] ?? 0
      }.start()
      next.value = [ThrowableTask { 1 }.start(), shared].whenAll(line: 1_001)
      isThere.open()
      _ = blocking { next.value?.awaitResult() }
    }
    expectTrap(gathered)
    let awaited = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let (other, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      let shared = ThrowableTask { () throws -> Int in
        isThere.pass()
        return try other.value?.await(line: 1_001) ?? 0
      }.start()
      other.value = ThrowableTask { try [ThrowableTask { 1 }.start(), shared].awaitAll(line: 1_001)[1] }.start()
      isThere.open()
      _ = blocking { shared.awaitResult() }
    }
    expectTrap(awaited)
  }

  @Test func `awaiting itself through cold chains traps, also where they have moved to another thread`() async {
    let inPlace = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let itself = Box<SharedTask<Int>?>(nil)
      let source = TaskCompletionSource<Int>(line: 1_001)
      itself.value = source.task.map { value in
        try ThrowableTask {}.flatMap { itself.value ?? source.task }.map { $0 + value }.await()
      }
      source.set(1)
      _ = blocking { itself.value?.awaitResult() }
    }
    expectTrap(inPlace)
    let elsewhere = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let itself = Box<SharedTask<Int>?>(nil)
      let source = TaskCompletionSource<Int>(line: 1_001)
      itself.value = source.task.flatMap { _ in
        ThrowableTask<Int> { completion in DispatchQueue.global().async { completion(.success(1)) } }
          .map { $0 + 1 }.delay(for: .milliseconds(1)).flatMap { _ in itself.value ?? source.task }
      }
      source.set(1)
      _ = blocking { itself.value?.awaitResult() }
    }
    expectTrap(elsewhere)
    let awaiting = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let itself = Box<SharedTask<Int>?>(nil)
      let source = TaskCompletionSource<Int>()
      itself.value = source.task.map { _ in
        try ThrowableTask<Int> { completion in DispatchQueue.global().async { completion(.success(1)) } }
          .map { try $0 + (itself.value?.await(line: 1_001) ?? 0) }.await()
      }
      source.set(1)
      _ = blocking { itself.value?.awaitResult() }
    }
    expectTrap(awaiting)
  }

  @Test func `a step that awaits its own outcome, and one whose next task is that, trap`() async {
    let awaiting = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let (itself, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      itself.value = ThrowableTask { isThere.pass() }.start().map { _ in try itself.value?.await(line: 1_001) ?? 0 }
      isThere.open()
      _ = blocking { itself.value?.awaitResult() }
    }
    expectTrap(awaiting)
    // Nothing is awaited in so many words: the line is the one where it was made.
    let next = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let itself = Box<SharedTask<Int>?>(nil)
      let source = TaskCompletionSource<Int>(line: 1_001)
      itself.value = source.task.flatMap { _ in itself.value ?? source.task }
      source.set(1)
      _ = blocking { itself.value?.awaitResult() }
    }
    expectTrap(next)
  }

  @Test func `a memo's task that asks for itself traps`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let memo = TaskMemo<Int, Int>()
      @Sendable func number(_ key: Int) -> SharedTask<Int> {
        memo.task(for: key) { ThrowableTask { try number((key + 1) % 3).await(line: 1_001) } }
      }
      _ = blocking { number(0).awaitResult() }
    }
    expectTrap(result)
    let itself = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      exitLate()
      let memo = TaskMemo<Int, Int>(keeping: .successes)
      @Sendable func number() -> SharedTask<Int> {
        memo.task(for: 1) { () throws -> ThrowableTask<Int> in
          let value = try number().await(line: 1_001)
          return ThrowableTask { value }
        }
      }
      _ = blocking { number().awaitResult() }
    }
    expectTrap(itself)
  }
}
