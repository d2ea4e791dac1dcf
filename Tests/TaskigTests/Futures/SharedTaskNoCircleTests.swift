import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What looks like a circle of shared tasks, and is none. A false alarm would end the run, so each is in a child process.
struct SharedTaskNoCircleTests {
  @Test func `with a timeout in the circle it times out`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let (all, areThere) = (Box<[SharedTask<Int>]>([]), Gate())
      all.value = (0..<3).map { index in
        ThrowableTask { () throws -> Int in
          areThere.pass()
          let next = all.value[(index + 1) % 3]
          return index == 1 ? try next.await(timeout: .milliseconds(20)) : try next.await()
        }.start()
      }
      areThere.open()
      exit(blocking { all.value.map { End($0.awaitResult()) } } == [.timedOut, .timedOut, .timedOut] ? 0 : 1)
    }
    await #expect(processExitsWith: .success) {
      exitLate()
      let (itself, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      itself.value = ThrowableTask { () throws -> Int in
        isThere.pass()
        return try ThrowableTask { try itself.value?.await() ?? 0 }.await(timeout: .milliseconds(20))
      }.start()
      isThere.open()
      exit(blocking { itself.value.map { End($0.awaitResult()) } } == .timedOut ? 0 : 1)
    }
    await #expect(processExitsWith: .success) {
      exitLate()
      let (itself, isThere) = (Box<[SharedTask<Int>]>([]), Gate())
      let shared = ThrowableTask { () throws -> Int in
        isThere.pass()
        return try itself.value.awaitAll(timeout: .milliseconds(20))[0]
      }.start()
      itself.value = [shared]
      isThere.open()
      exit(blocking { End(shared.awaitResult()) } == .timedOut ? 0 : 1)
    }
  }

  @Test func `with the operator for it in the circle it times out too`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let (next, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      let shared = ThrowableTask { () throws -> Int in
        isThere.pass()
        return try next.value?.await() ?? 0
      }.start()
      next.value = shared.timeout(.milliseconds(20))
      isThere.open()
      exit(blocking { End(shared.awaitResult()) } == .timedOut ? 0 : 1)
    }
    await #expect(processExitsWith: .success) {
      exitLate()
      let (itself, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      itself.value = ThrowableTask { () throws -> Int in
        isThere.pass()
        return try ThrowableTask { try itself.value?.await() ?? 0 }.timeout(.milliseconds(20)).await()
      }.start()
      isThere.open()
      exit(blocking { itself.value.map { End($0.awaitResult()) } } == .timedOut ? 0 : 1)
    }
  }

  @Test func `the first of several goes on without the one that is in a circle`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let (itself, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      let other = TaskCompletionSource<Int>()
      itself.value = ThrowableTask { () throws -> Int in
        isThere.pass()
        return try [itself.value ?? other.task, other.task].awaitFirst()
      }.start()
      isThere.open()
      let waiting = Aside { itself.value.map { End($0.awaitResult()) } }
      // Until it waits. If it comes later, there is nothing to wait for.
      blocking { Thread.sleep(forTimeInterval: 0.02) }
      other.set(1)
      exit(blocking { waiting.result() } == .value(1) ? 0 : 1)
    }
    await #expect(processExitsWith: .success) {
      exitLate()
      let (first, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      let other = TaskCompletionSource<Int>()
      let shared = ThrowableTask { () throws -> Int in
        isThere.pass()
        return try first.value?.await() ?? 0
      }.start()
      first.value = [shared, other.task].whenAny()
      isThere.open()
      let waiting = Aside { End(shared.awaitResult()) }
      // As above.
      blocking { Thread.sleep(forTimeInterval: 0.02) }
      other.set(1)
      exit(blocking { waiting.result() } == .value(1) ? 0 : 1)
    }
  }

  @Test func `an action may have what follows it told of its own outcome`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let (itself, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      let heard = Steps<End>()
      itself.value = ThrowableTask { () -> Int in
        isThere.pass()
        itself.value?.async { heard.note(End($0)) }
        itself.value?.map { $0 + 1 }.async { heard.note(End($0)) }
        _ = itself.value?.always { heard.note(.value(0)) }
        return 1
      }.start()
      isThere.open()
      let end = blocking { itself.value.map { End($0.awaitResult()) } }
      exit(end == .value(1) && eventually { heard.all.count == 3 } ? 0 : 1)
    }
  }

  @Test func `a callback-style action may do so too`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let (itself, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      let heard = Gate()
      itself.value = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        isThere.pass()
        itself.value?.async { _ in heard.open() }
        DispatchQueue.global().async { completion(.success(1)) }
      }.start()
      isThere.open()
      let end = blocking { itself.value.map { End($0.awaitResult()) } }
      exit(end == .value(1) && heard.pass() ? 0 : 1)
    }
  }

  @Test func `what an action starts and does not await may await it`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let (itself, isThere) = (Box<SharedTask<Int>?>(nil), Gate())
      let inner = Box<SharedTask<Int>?>(nil)
      itself.value = ThrowableTask { () -> Int in
        isThere.pass()
        inner.value = ThrowableTask { try itself.value?.await() ?? 0 }.start()
        Task.async { _ = itself.value?.awaitResult() }
        return 1
      }.start()
      isThere.open()
      let ends = blocking { [itself, inner].map { $0.value.map { End($0.awaitResult()) } } }
      exit(ends == [.value(1), .value(1)] ? 0 : 1)
    }
  }

  @Test func `what it has given up waiting for may await it`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let (other, isThere, hasGivenUp) = (Box<SharedTask<Int>?>(nil), Gate(), Gate())
      let shared = ThrowableTask { () throws -> Int in
        isThere.pass()
        let timed = End(other.value?.awaitResult(timeout: .milliseconds(5)) ?? .success(-1))
        let task = ThrowableTask { try other.value?.await() ?? 0 }
        let waiting = Aside { End(task.awaitResult()) }
        task.cancel()
        let cancelled = waiting.result()
        let done = ThrowableTask { 3 }.start()
        let first = try [other.value?.map { $0 } ?? done, done].awaitFirst()
        hasGivenUp.open()
        // Until it is awaited. If that comes later, there is nothing to be wrong about.
        Thread.sleep(forTimeInterval: 0.02)
        return timed == .timedOut && cancelled == .cancelled && first == 3 ? 1 : 0
      }.start()
      other.value = ThrowableTask { () throws -> Int in
        hasGivenUp.pass()
        return try shared.await() + 1
      }.start()
      isThere.open()
      exit(blocking { other.value.map { End($0.awaitResult()) } } == .value(2) ? 0 : 1)
    }
  }

  @Test func `diamonds, and many that wait for the same, are no circles`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      for _ in 0..<Machine.stress(50) {
        let go = Gate()
        let base = ThrowableTask { () -> Int in
          go.pass()
          return 1
        }.start()
        let sides = (0..<10).map { index in
          ThrowableTask(executionQueue: index % 2 == 0 ? .taskDefault : DispatchQueue(label: "side")) {
            try base.await() + base.await() + ThrowableTask { try base.await() }.await()
          }.start()
        }
        let top = ThrowableTask { try sides.awaitAll().reduce(0, +) + base.await() + sides[3].await() }.start()
        let joined = sides[0].zip(sides[1], top, base).map { $0 + $1 + $2 + $3 }
        let waiting = (0..<4).map { _ in Aside { (try? top.await()) == 34 && (try? joined.await()) == 41 } }
        go.open()
        guard blocking({ waiting.allSatisfy { $0.result() == true } }) else { exit(1) }
      }
      exit(0)
    }
  }

  @Test func `a thread that is lent to one may await others inside`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let (first, second) = (NamedQueue("first"), NamedQueue("second"))
      // `inner` is awaited in the middle of an await of `outer`, on the same thread, and outer's run needs that thread.
      let inner = ThrowableTask { Task(executionQueue: second.queue) { second.nameHere() }.await() }.start()
      let ends = blocking {
        (0..<20).map { _ in
          Task(executionQueue: first.queue) {
            let outer = ThrowableTask { () throws -> String? in
              try ThrowableTask(executionQueue: first.queue) {
                let other = ThrowableTask(executionQueue: first.queue) { first.nameHere() }.start()
                return try [inner.await(), other.await()].compactMap { $0 }.joined(separator: " ")
              }.await()
            }.start()
            return try? outer.map { $0 ?? "" }.await()
          }.await()
        }
      }
      exit(ends.allSatisfy { $0 == "second first" } ? 0 : 1)
    }
  }

  @Test func `keys of a memo may ask for each other, as long as none comes back to itself`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      for retention in [TaskMemo<Int, Int>.Retention.inFlight, .successes] {
        let memo = TaskMemo<Int, Int>(keeping: retention)
        @Sendable func fibonacci(_ n: Int) -> SharedTask<Int> {
          memo.task(for: n) {
            ThrowableTask {
              guard n > 1 else { return n }
              return try [fibonacci(n - 1), fibonacci(n - 2)].awaitAll().reduce(0, +)
            }
          }
        }
        let waiting = (0..<4).map { _ in Aside { try? fibonacci(12).await() } }
        guard blocking({ waiting.allSatisfy { $0.result() == 144 } }) else { exit(1) }
      }
      exit(0)
    }
  }
}
