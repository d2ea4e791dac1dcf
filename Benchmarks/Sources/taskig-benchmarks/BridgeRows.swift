import Dispatch
import Foundation
import Taskig

/// The rows that are about going from one world to another.
func bridgeRows() -> [Row] {
  [asyncCodeRow(suspends: false), asyncCodeRow(suspends: true), asCompletedRow(), runLoopRow()]
}

/// What `async` code does in the rows: nothing, or something after it has let others go first.
@Sendable private func answer(suspending suspends: Bool) async -> Int {
  if suspends { await _Concurrency.Task.yield() }
  return 42
}

private func asyncCodeRow(suspends: Bool) -> Row {
  Row(
    "Blocking code calls async code that \(suspends ? "suspends once" : "does not suspend")",
    [
      Contestant("Task.awaitAsync { await answer() }", repetitions: 2_000) { n in
        for _ in 0..<n { consume(Task.awaitAsync { await answer(suspending: suspends) }) }
      },
      Contestant("Task.detached { } and a semaphore", repetitions: 2_000) { n in
        for _ in 0..<n {
          let done = DispatchSemaphore(value: 0)
          _Concurrency.Task.detached {
            consume(await answer(suspending: suspends))
            done.signal()
          }
          done.wait()
        }
      },
    ], [])
}

private func asCompletedRow() -> Row {
  Row(
    "async code has 10,000 cheap results as they come",
    [
      Contestant("for await … in tasks.asCompleted()", repetitions: 1) { n in
        inSwiftConcurrency {
          for _ in 0..<n {
            for await value in (0..<10_000).map({ i in Task { i } }).asCompleted() { consume(value) }
          }
        }
      },
      Contestant("withTaskGroup, 50 at a time", repetitions: 1) { n in
        inSwiftConcurrency {
          for _ in 0..<n { await inGroup(10_000, atOnce: 50) }
        }
      },
    ], [])
}

private func inGroup(_ count: Int, atOnce limit: Int) async {
  await withTaskGroup(of: Int.self) { group in
    for i in 0..<limit { group.addTask { i } }
    for i in limit..<count {
      if let value = await group.next() { consume(value) }
      group.addTask { i }
    }
    for await value in group { consume(value) }
  }
}

private func runLoopRow() -> Row {
  Row(
    "A wait in a run loop, on a thread with no sources",
    [
      Contestant("Task { 1 }.awaitInRunLoop()", repetitions: 500) { n in
        for _ in 0..<n { consume(Task { 1 }.awaitInRunLoop()) }
      },
      Contestant("DispatchQueue.global().async + semaphore", repetitions: 500, asyncAndSemaphore),
    ], [])
}
