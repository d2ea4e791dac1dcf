import Dispatch
import Foundation
import Taskig

/// A conformer of a user's own that completes in place.
private struct Sum: TaskType {
  let left: Int
  let right: Int

  func action(completion: @escaping @Sendable (Int) -> Void) {
    completion(left &+ right)
  }
}

// Names for what all rows compare with.
private let sync = "DispatchQueue.global().sync"
private let semaphore = "DispatchQueue.global().async + semaphore"
private let detached = "await Task.detached { }.value"
private let taskGroup = "withTaskGroup"
private let ideal = "ideal"

/// Keeps the optimizer from seeing through the work.
@inline(never)
func consume<T>(_ value: T) {}

/// Runs `body` in Swift concurrency and blocks the caller, which is no thread of Swift's pool; measured work is inside.
func inSwiftConcurrency(_ body: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  _Concurrency.Task {
    await body()
    done.signal()
  }
  done.wait()
}

/// Ten milliseconds of blocking; a function, since Swift forbids to sleep like this in `async` code directly.
private func block() {
  Thread.sleep(forTimeInterval: 0.01)
}

/// Hands work over to Dispatch and waits for it, one after the other.
func asyncAndSemaphore(_ n: Int) {
  for i in 0..<n {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      consume(i)
      done.signal()
    }
    done.wait()
  }
}

private func dispatchSync(_ n: Int) {
  for _ in 0..<n { consume(DispatchQueue.global().sync { 1 }) }
}

private func awaitDetached(_ n: Int) {
  inSwiftConcurrency {
    for _ in 0..<n { consume(await _Concurrency.Task.detached { 1 }.value) }
  }
}

private func taskGroup(of count: Int, repeated n: Int) {
  inSwiftConcurrency {
    for _ in 0..<n {
      let sum = await withTaskGroup(of: Int.self) { group in
        for i in 0..<count { group.addTask { i &+ 1 } }
        return await group.reduce(0, &+)
      }
      consume(sum)
    }
  }
}

/// The rows that are about one await.
func awaitRows() -> [Row] {
  [
    Row(
      "Task { 1 }.await(), made and awaited, no named queue",
      [
        Contestant("Task { 1 }.await()", repetitions: 200_000) { n in
          for _ in 0..<n { consume(Task { 1 }.await()) }
        },
        Contestant(sync, repetitions: 200_000, dispatchSync),
        Contestant(semaphore, repetitions: 2_000, asyncAndSemaphore),
        Contestant(detached, repetitions: 10_000, awaitDetached),
      ],
      [.atMost(0.5, of: sync), .timesFaster(15, than: detached), .timesFaster(100, than: semaphore)]),
    Row(
      "A conformer of the user's own that completes in place",
      [
        Contestant("Sum(…).await()", repetitions: 200_000) { n in
          for i in 0..<n { consume(Sum(left: i, right: 1).await()) }
        },
        Contestant(sync, repetitions: 200_000, dispatchSync),
        Contestant(detached, repetitions: 10_000, awaitDetached),
      ],
      [.atMost(1.5, of: sync)]),
  ]
}

/// The rows that are about many tasks.
func collectionRows() -> [Row] {
  [
    Row(
      "awaitAll of 10,000 cheap tasks",
      [
        Contestant("awaitAll()", repetitions: 5) { n in
          for _ in 0..<n { consume((0..<10_000).map { i in Task { i &+ 1 } }.awaitAll()) }
        },
        Contestant("concurrentPerform", repetitions: 5) { n in
          for _ in 0..<n { DispatchQueue.concurrentPerform(iterations: 10_000) { consume($0 &+ 1) } }
        },
        Contestant(taskGroup, repetitions: 5) { n in taskGroup(of: 10_000, repeated: n) },
      ],
      [.timesFaster(10, than: taskGroup)]),
    blockingRow(),
    callbackRow(),
  ]
}

private func blockingRow() -> Row {
  Row(
    "500 blocking bodies of 10 ms, limit 50",
    [
      Contestant("awaitAll(concurrency: 50)", repetitions: 1) { _ in
        consume((0..<500).map { _ in Task { block() } }.awaitAll(concurrency: 50))
      },
      // What no scheduler can beat: fifty threads at hand, each with its tenth of the sleeps.
      Contestant(ideal, repetitions: 1) { _ in Thread.sleep(forTimeInterval: 0.1) },
      Contestant("DispatchQueue.global() behind a semaphore of 50", repetitions: 1) { _ in
        let slots = DispatchSemaphore(value: 50)
        let group = DispatchGroup()
        for _ in 0..<500 {
          slots.wait()
          DispatchQueue.global().async(group: group) {
            block()
            slots.signal()
          }
        }
        group.wait()
      },
      Contestant("withTaskGroup, 50 at a time, bodies block", repetitions: 1) { _ in
        inSwiftConcurrency {
          await withTaskGroup(of: Void.self) { group in
            for i in 0..<500 {
              if i >= 50 { await group.next() }
              group.addTask { block() }
            }
          }
        }
      },
    ],
    [.atMost(1.15, of: ideal)])
}

private func callbackRow() -> Row {
  let timer = DispatchQueue(label: "timer")
  return Row(
    "5,000 callback tasks in flight, 20 ms each",
    [
      Contestant("awaitAll(concurrency: 5_000)", repetitions: 1) { _ in
        let tasks = (0..<5_000).map { i in
          Task<Int> { completion in
            timer.asyncAfter(deadline: .now() + .milliseconds(20)) { completion(i) }
          }
        }
        consume(tasks.awaitAll(concurrency: 5_000))
      },
      Contestant("asyncAfter + DispatchGroup", repetitions: 1) { _ in
        let group = DispatchGroup()
        for _ in 0..<5_000 {
          group.enter()
          timer.asyncAfter(deadline: .now() + .milliseconds(20)) { group.leave() }
        }
        group.wait()
      },
      Contestant(taskGroup, repetitions: 1) { _ in
        inSwiftConcurrency {
          await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5_000 { group.addTask { try? await _Concurrency.Task.sleep(for: .milliseconds(20)) } }
          }
        }
      },
    ],
    [.atMost(1.3, of: taskGroup)])
}
