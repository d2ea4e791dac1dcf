import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Chains with steps on what the thread that awaits them holds: the main thread, or a serial queue.
struct OperatorLendingTests {
  /// A chain of each kind with steps on `queue`, which results in how many of its three closures ran there.
  private static func chains(on queue: DispatchQueue, _ isThere: @escaping @Sendable () -> Bool) -> [Face] {
    Face.each { 0 }.flatMap { source in
      [
        source.map(on: queue) { isThere() ? $0 + 1 : $0 }
          .flatMap { value in ThrowableTask(executionQueue: queue) { isThere() ? value + 1 : value } }
          .mapResult(on: queue) { isThere() ? try $0.get() + 1 : try $0.get() },
        source.flatMap { value in ThrowableTask(executionQueue: .utility) { value } }
          .map(on: queue) { isThere() ? $0 + 1 : $0 }
          .map { value in try ThrowableTask(executionQueue: queue) { isThere() ? value + 1 : value }.await() }
          .map { value in
            try ThrowableTask { value }.map(on: queue) { isThere() ? $0 + 1 : $0 }.start().await()
          },
      ]
    }
  }

  @Test func `the main thread awaits chains with steps on the main queue`() async {
    await #expect(processExitsWith: .success) {
      DispatchQueue.main.async {
        let ends = OperatorLendingTests.chains(on: .main, isOnMain).map { $0.end() }
        exit(ends == Array(repeating: .value(3), count: 6) ? 0 : 1)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `it awaits them with time to spare, and many together`() async {
    await #expect(processExitsWith: .success) {
      DispatchQueue.main.async {
        let ends = OperatorLendingTests.chains(on: .main, isOnMain).map { $0.end(within: .seconds(60)) }
        guard ends == Array(repeating: .value(3), count: 6) else { exit(1) }
        let cold = (0..<20).map { i in
          ThrowableTask(executionQueue: .utility) { i }.map(on: .main) { isOnMain() ? $0 : -1 }
        }
        guard (try? cold.awaitAll(concurrency: 3)) == Array(0..<20) else { exit(2) }
        guard (try? cold.whenAll(concurrency: 3).await()) == Array(0..<20) else { exit(3) }
        guard (try? cold.map { $0.start() }.awaitAll()) == Array(0..<20) else { exit(4) }
        guard (try? cold.map { $0.start() }.whenAll().await()) == Array(0..<20) else { exit(5) }
        guard let two = try? cold[1].zip(cold[2]).await(), two == (1, 2) else { exit(6) }
        guard (0..<20).contains((try? cold.whenAny().await()) ?? -1) else { exit(7) }
        let failing = cold[0].map { (_: Int) -> Int in throw Failed() }
        let attempts = Counter()
        let retried = failing.retry(on: .main, attempts: 3) { _ in isOnMain() && attempts.increment() > 0 }
        guard End(retried.awaitResult()) == .failed, attempts.value == 2 else { exit(8) }
        guard (try? cold[4].timeout(.seconds(60)).await()) == 4 else { exit(9) }
        exit(0)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `a chain that is awaited on a serial queue has steps on that queue`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      let ends = Task(executionQueue: own.queue) {
        Self.chains(on: own.queue) { own.nameHere() == "own" }.map { $0.end() }
      }.await()
      #expect(ends == Array(repeating: .value(3), count: 6))
      let inBlock = own.queue.sync {
        Self.chains(on: own.queue) { own.nameHere() == "own" }.map { $0.end() }
      }
      #expect(inBlock == Array(repeating: .value(3), count: 6))
    }
  }

  @Test func `so do many that are awaited there together, with and without a limit`() throws {
    try withDeadline { () throws in
      let own = NamedQueue("own")
      for limit in [1, 3, .max] {
        let values = try ThrowableTask(executionQueue: own.queue) { () throws -> [Int] in
          let chains = (0..<50).map { i in
            ThrowableTask(executionQueue: i % 2 == 0 ? .utility : .taskDefault) { i }
              .map(on: own.queue) { own.nameHere() == "own" ? $0 : -1 }
          }
          let gathered = try chains.whenAll(concurrency: limit).await()
          guard try chains.awaitAll(concurrency: limit) == gathered else { return [] }
          return gathered
        }.await()
        #expect(values == Array(0..<50))
      }
    }
  }

  @Test func `a chain through another queue's holder comes back to the one that awaits it`() throws {
    try withDeadline { () throws in
      let (first, second) = (NamedQueue("first"), NamedQueue("second"))
      let name = try ThrowableTask(executionQueue: first.queue) {
        try ThrowableTask { 1 }
          .map(on: second.queue) { _ in
            try ThrowableTask { 2 }.map(on: first.queue) { _ in first.nameHere() }.await()
          }
          .await()
      }.await()
      #expect(name == "first")
    }
  }

  @Test func `two thousand chains of callback-style sources, all in flight, hold no threads`() async {
    await #expect(processExitsWith: .success) {
      guard let before = Machine.threads else { return }
      let held = Held<Int>()
      let chains = (0..<2_000).map { i in held.task().map { $0 + i }.always {} }
      let gatherings: [@Sendable () -> [Int]?] = [
        { try? chains.awaitAll(concurrency: .max) },
        { try? chains.whenAll(concurrency: .max).await() },
        { try? chains.map { $0.start().map { $0 } }.whenAll().await() },
      ]
      for (index, gather) in gatherings.enumerated() {
        let waiting = Aside { gather() }
        guard blocking({ held.hasBegun(2_000 * (index + 1)) }) else { exit(1) }
        // As in `ThreadCountTests`.
        guard blocking({ Machine.comesDown(toThreads: before + 20) }) else { exit(2) }
        held.release(.success(1))
        guard blocking({ waiting.result() }) == Array(1...2_000) else { exit(3) }
      }
    }
  }
}
