import Dispatch
import Synchronization
import Taskig

/// The rows that are about results that are shared, and about what follows them.
func futureRows() -> [Row] {
  [
    chainRow(of: 1_000, repetitions: 20), chainRow(of: 100_000, repetitions: 1), waitersRow(1), waitersRow(1_000),
    readRow(),
  ]
}

private func chainRow(of steps: Int, repetitions: Int) -> Row {
  Row(
    "A chain of \(steps) steps, made and run",
    [
      Contestant("ThrowableTask { 0 }.map { … }.await()", repetitions: repetitions) { n in
        for _ in 0..<n {
          var task = ThrowableTask { 0 }
          for _ in 0..<steps { task = task.map { $0 &+ 1 } }
          consume(task.awaitResult())
        }
      },
      Contestant("SharedTask.map { … }.await()", repetitions: repetitions) { n in
        for _ in 0..<n {
          let source = TaskCompletionSource<Int>()
          var task = source.task
          for _ in 0..<steps { task = task.map { $0 &+ 1 } }
          source.set(0)
          consume(task.awaitResult())
        }
      },
      Contestant("DispatchQueue.global().async, one after another", repetitions: repetitions) { n in
        for _ in 0..<n {
          let done = DispatchSemaphore(value: 0)
          step(0, of: steps, done)
          done.wait()
        }
      },
      Contestant("Task { await last.value }", repetitions: repetitions) { n in
        inSwiftConcurrency {
          for _ in 0..<n {
            var task = _Concurrency.Task { 0 }
            for _ in 0..<steps {
              let last = task
              task = _Concurrency.Task { await last.value &+ 1 }
            }
            consume(await task.value)
          }
        }
      },
    ], [])
}

@Sendable private func step(_ index: Int, of count: Int, _ done: DispatchSemaphore) {
  guard index < count else {
    done.signal()
    return
  }
  DispatchQueue.global().async { step(index &+ 1, of: count, done) }
}

/// Counts down from a number, and signals when it is at nothing.
private final class Countdown: Sendable {
  private let left: Atomic<Int>
  private let done = DispatchSemaphore(value: 0)

  init(from count: Int) {
    left = Atomic(count)
  }

  func down() {
    if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.signal() }
  }

  func wait() {
    done.wait()
  }
}

private func waitersRow(_ waiters: Int) -> Row {
  let repetitions = max(1, 2_000 / waiters)
  return Row(
    "A result with \(waiters == 1 ? "1 waiter" : "\(waiters) waiters"), made, completed and heard",
    [
      Contestant("SharedTask.map { … }", repetitions: repetitions) { n in
        for _ in 0..<n {
          let countdown = Countdown(from: waiters)
          let source = TaskCompletionSource<Int>()
          for _ in 0..<waiters { consume(source.task.map { _ in countdown.down() }) }
          source.set(1)
          countdown.wait()
        }
      },
      Contestant("SharedTask.async { … }", repetitions: repetitions) { n in
        for _ in 0..<n {
          let countdown = Countdown(from: waiters)
          let source = TaskCompletionSource<Int>()
          for _ in 0..<waiters { source.task.async { _ in countdown.down() } }
          source.set(1)
          countdown.wait()
        }
      },
      Contestant("DispatchGroup.notify", repetitions: repetitions) { n in
        for _ in 0..<n {
          let countdown = Countdown(from: waiters)
          let group = DispatchGroup()
          group.enter()
          for _ in 0..<waiters { group.notify(queue: .global()) { countdown.down() } }
          group.leave()
          countdown.wait()
        }
      },
      Contestant("Task { await result.value }", repetitions: repetitions) { n in
        inSwiftConcurrency {
          for _ in 0..<n {
            let (results, source) = AsyncStream.makeStream(of: Int.self)
            let result = _Concurrency.Task { await results.first { _ in true } }
            await withTaskGroup(of: Void.self) { group in
              for _ in 0..<waiters { group.addTask { consume(await result.value) } }
              source.yield(1)
            }
          }
        }
      },
    ], [])
}

private func readRow() -> Row {
  let source = TaskCompletionSource<Int>()
  source.set(1)
  let task = source.task
  return Row(
    "Awaiting a result that is there",
    [
      Contestant("SharedTask.await()", repetitions: 200_000) { n in
        for _ in 0..<n { consume(try? task.await()) }
      },
      Contestant("DispatchGroup.wait()", repetitions: 200_000) { n in
        let group = DispatchGroup()
        for _ in 0..<n { group.wait() }
      },
      Contestant("await Task.value", repetitions: 200_000) { n in
        inSwiftConcurrency {
          let task = _Concurrency.Task { 1 }
          for _ in 0..<n { consume(await task.value) }
        }
      },
    ], [.under(nanoseconds: 30)])
}
