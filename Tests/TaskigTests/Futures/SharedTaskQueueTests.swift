import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Shared tasks that need what those hold who wait for them.
struct SharedTaskQueueTests {
  private let first = NamedQueue("first")
  private let second = NamedQueue("second")

  @Test func `the main thread completes one whose action is on the main queue`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      DispatchQueue.main.async {
        let plain = Task(executionQueue: .main) { isOnMain() }.start()
        let throwing = ThrowableTask(executionQueue: .main) { isOnMain() }.start()
        let timed = ThrowableTask(executionQueue: .main) { isOnMain() }.start()
        let results = [
          plain.awaitResult(), throwing.awaitResult(), timed.awaitResult(timeout: .seconds(3_600)),
          ThrowableTask(executionQueue: .main) { isOnMain() }.start().map(on: .main) { $0 && isOnMain() }.awaitResult(),
        ]
        let both = [true, false].map { isOn in Task(executionQueue: .main) { isOnMain() && isOn }.start() }
        let all = try? both.awaitAll()
        exit(results.allSatisfy { (try? $0.get()) == true } && all == [true, false] ? 0 : 1)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `the main thread completes one that needs the main queue somewhere inside`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      DispatchQueue.main.async {
        @Sendable func needsMain() -> Bool { Task(executionQueue: .main) { isOnMain() }.await() }
        let own = DispatchQueue(label: "own")
        let base = ThrowableTask { needsMain() }.start()
        let shared = [
          ThrowableTask(executionQueue: own) { needsMain() }.start(),
          ThrowableTask { try ThrowableTask(executionQueue: own) { needsMain() }.start().await() }.start(),
          base.map { $0 && needsMain() },
          base.flatMap { _ in ThrowableTask(executionQueue: .main) { isOnMain() } },
          base.flatMap { _ in ThrowableTask { needsMain() }.start() },
          base.always(on: .main) { _ = isOnMain() },
          TaskMemo<Int, Bool>().task(for: 1) { ThrowableTask(executionQueue: .main) { isOnMain() } },
          ThrowableTask { try [base, base.map(on: .main) { $0 && isOnMain() }].awaitAll().allSatisfy { $0 } }.start(),
          [base, ThrowableTask(executionQueue: .main) { isOnMain() }.start()].whenAll().map { $0.allSatisfy { $0 } },
          base.zip(Task(executionQueue: .main) { isOnMain() }.start()).map { $0 && $1 },
        ]
        let ends = shared.map { each in (try? each.await()) == true }
        let values = try? shared.awaitAll()
        exit(ends.allSatisfy { $0 } && values?.allSatisfy { $0 } == true ? 0 : 1)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `the main thread completes one that comes to need the main queue on another thread`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      DispatchQueue.main.async {
        @Sendable func later() -> ThrowableTask<Bool> {
          ThrowableTask { completion in DispatchQueue.global().async { completion(.success(true)) } }
        }
        @Sendable func laterOnMain() -> ThrowableTask<Bool> { later().map(on: .main) { $0 && isOnMain() } }
        let shared = [
          laterOnMain().start(),
          later().start().map(on: .main) { $0 && isOnMain() },
          ThrowableTask { try laterOnMain().await() }.start(),
          ThrowableTask { try later().flatMap { _ in laterOnMain() }.await() }.start(),
          later().delay(for: .milliseconds(1)).map(on: .main) { $0 && isOnMain() }.start(),
          later().start().delay(for: .milliseconds(1)).flatMap { _ in laterOnMain() },
          later().start().timeout(.seconds(3_600)).flatMap(on: .main) { _ in laterOnMain() },
          [laterOnMain(), laterOnMain()].whenAll().map(on: .main) { $0 == [true, true] && isOnMain() }.start(),
          ThrowableTask { try [laterOnMain(), later()].whenAny().await() && laterOnMain().await() }.start(),
        ]
        exit(shared.map { (try? $0.await()) == true }.allSatisfy { $0 } ? 0 : 1)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `the main thread completes what had to wait for it already when it comes`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      DispatchQueue.main.async {
        let isInside = Gate()
        let inner = ThrowableTask { () -> Bool in
          isInside.open()
          return Task(executionQueue: .main) { isOnMain() }.await()
        }.start()
        let outer = ThrowableTask { try inner.await() }.start()
        isInside.pass()
        // Until it is parked. If it comes later, it is served in the ordinary way.
        Thread.sleep(forTimeInterval: 0.02)
        exit((try? outer.await()) == true && (try? inner.await()) == true ? 0 : 1)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `a queue's holder completes one that needs it`() throws {
    let (first, second) = (first, second)
    try withDeadline {
      let names = Task(executionQueue: first.queue) {
        [
          ThrowableTask(executionQueue: first.queue) { first.nameHere() }.start(),
          ThrowableTask(executionQueue: second.queue) {
            Task(executionQueue: first.queue) { first.nameHere() }.await()
          }.start(),
          ThrowableTask {}.start().map(on: first.queue) { first.nameHere() },
          ThrowableTask {}.start().map(on: second.queue) {
            try ThrowableTask(executionQueue: first.queue) { first.nameHere() }.start().await()
          },
        ].map { try? $0.await() }
      }.await()
      #expect(names == Array(repeating: "first", count: 4))
    }
  }

  @Test func `so does a block of the user's that Taskig has not started`() throws {
    let (first, second) = (first, second)
    try withDeadline {
      let name = first.queue.sync {
        let shared = ThrowableTask(executionQueue: second.queue) {
          try ThrowableTask(executionQueue: first.queue) { first.nameHere() }.start().await()
        }.start()
        return try? shared.await()
      }
      #expect(name == "first")
    }
  }

  @Test func `of several who wait for it, whoever holds the queue completes it`() throws {
    let (first, second) = (first, second)
    try withDeadline {
      for _ in 0..<Machine.stress(50) {
        let start = Meeting(of: 3)
        let shared = ThrowableTask { () -> [String?] in
          _ = start.join()
          return [first, second].map { queue in Task(executionQueue: queue.queue) { queue.nameHere() }.await() }
        }.start()
        let waiting = [first, second].map { queue in
          Aside {
            Task(executionQueue: queue.queue) { () -> [String?]? in
              _ = start.join()
              return try? shared.await()
            }.await()
          }
        }
        for each in waiting { #expect(each.result() == ["first", "second"]) }
      }
    }
  }

  @Test func `two that hold each other's queue, and wait for each other's needs, complete`() throws {
    let (first, second) = (first, second)
    try withDeadline {
      for _ in 0..<Machine.stress(50) {
        let meeting = Meeting(of: 2)
        let needsSecond = ThrowableTask(executionQueue: first.queue) { () -> String? in
          _ = meeting.join()
          return try ThrowableTask(executionQueue: second.queue) { second.nameHere() }.start().await()
        }.start()
        let needsFirst = ThrowableTask(executionQueue: second.queue) { () -> String? in
          _ = meeting.join()
          return try ThrowableTask(executionQueue: first.queue) { first.nameHere() }.start().await()
        }.start()
        #expect([needsSecond, needsFirst].map { try? $0.await() } == ["second", "first"])
      }
    }
  }

  @Test func `it runs on its queue, whoever awaits it`() throws {
    let (first, second) = (first, second)
    try withDeadline { () throws in
      let shared = ThrowableTask(executionQueue: first.queue) { first.nameHere() }.start()
      let name = try ThrowableTask(executionQueue: second.queue) { try shared.await() }.await()
      let own = second.queue.sync { try? shared.await() }
      #expect(name == "first" && own == "first")
      #expect(try shared.map(on: second.queue) { _ in second.nameHere() }.await() == "second")
    }
  }
}
