import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Chains that are longer than any stack is deep; one after the other, since under a sanitizer each takes a lot of memory.
@Suite(.serialized) struct ChainTests {
  private static let steps = Machine.depth(100_000)
  /// For what costs more for each step.
  private static let some = Machine.depth(20_000)

  /// Runs `body` on a thread with a stack of 512 KB, which is what secondary threads have on some systems.
  private static func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    let done = Gate()
    let thread = Thread {
      body()
      done.open()
    }
    thread.stackSize = 512 << 10
    thread.start()
    #expect(done.pass(within: 100))
  }

  private static func later(_ value: Int) -> ThrowableTask<Int> {
    ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
      DispatchQueue.global().async { completion(.success(value)) }
    }
  }

  @Test func `a hundred thousand steps follow a source of any kind`() throws {
    try withDeadline(120) {
      for source in [ThrowableTask { 0 }, Self.later(0), ThrowableTask(executionQueue: .utility) { 0 }] {
        var task = source
        for _ in 0..<Self.steps { task = task.map { $0 + 1 } }
        #expect(End(task.awaitResult()) == .value(Self.steps))
      }
      var own = OwnTask { 0 }.map { $0 + 1 }
      for _ in 1..<Self.steps { own = own.map { $0 + 1 } }
      #expect(End(own.awaitResult()) == .value(max(1, Self.steps)))
    }
  }

  @Test func `so they do after a plain one`() throws {
    try withDeadline(120) {
      for source in [Task { 0 }, Task<Int> { completion in DispatchQueue.global().async { completion(0) } }] {
        var task = source
        for _ in 0..<Self.steps { task = task.map { $0 + 1 } }
        #expect(task.await() == Self.steps)
      }
    }
  }

  @Test func `steps of every other kind follow as well`() throws {
    try withDeadline(120) {
      for source in [ThrowableTask { 0 }, Self.later(0)] {
        var task = source
        for step in 0..<Self.some {
          switch step % 5 {
          case 0: task = task.flatMap { value in ThrowableTask<Int> { throw Failed(number: value + 1) } }
          case 1: task = task.recover { ($0 as? Failed)?.number ?? -1 }
          case 2: task = task.mapResult { try $0.get() }
          case 3: task = task.always {}.delay(for: .zero)
          default: task = task.flatMapResult { result in Self.later((try? result.get()) ?? -1) }
          }
        }
        #expect(End(task.awaitResult()) == .value((Self.some + 4) / 5))
      }
    }
  }

  @Test func `a failure and a cancellation pass by a hundred thousand steps`() throws {
    try withDeadline(120) {
      let calls = Counter()
      for error in [Failed() as any Error, CancellableTaskError.taskWasCancelled] {
        var task = ThrowableTask<Int> { throw error }
        for _ in 0..<Self.steps { task = task.map { $0 + calls.increment() } }
        #expect(End(task.awaitResult()) == End(.failure(error)))
      }
      #expect(calls.value == 0)
    }
  }

  @Test func `flatMap may go on a hundred thousand times, each time with a task that does so itself`() throws {
    try withDeadline(120) {
      @Sendable func descend(_ level: Int, _ sum: Int = 0) -> ThrowableTask<Int> {
        level == 0 ? ThrowableTask { sum } : ThrowableTask { level }.flatMap { descend($0 - 1, sum + 1) }
      }
      #expect(End(descend(Self.steps).awaitResult()) == .value(Self.steps))
      @Sendable func add(_ level: Int) -> ThrowableTask<Int> {
        level == 0 ? Self.later(0) : ThrowableTask { level }.flatMap { add($0 - 1) }.map { $0 + 1 }
      }
      #expect(End(add(Self.steps).awaitResult()) == .value(Self.steps))
      @Sendable func later(_ level: Int) -> ThrowableTask<Int> {
        level == 0 ? ThrowableTask { 0 } : Self.later(level).flatMap { later($0 - 1) }
      }
      #expect(End(later(Self.some).awaitResult()) == .value(0))
      @Sendable func plain(_ level: Int) -> Task<Int> {
        level == 0 ? Task { 0 } : Task { level }.flatMap { plain($0 - 1) }.map { $0 + 1 }
      }
      #expect(plain(Self.steps).await() == Self.steps)
      @Sendable func failing(_ level: Int) -> ThrowableTask<Int> {
        level == 0 ? ThrowableTask { 7 } : ThrowableTask<Int> { throw Failed() }.recover { _ in failing(level - 1) }
      }
      #expect(End(failing(Self.steps).awaitResult()) == .value(7))
    }
  }

  @Test func `a chain of a hundred thousand shared tasks runs, built before its head is done or after`() throws {
    try withDeadline(120) {
      for isDone in [false, true] {
        let source = TaskCompletionSource<Int>()
        if isDone { source.set(0) }
        var task = source.task
        for _ in 0..<Self.steps { task = task.map { $0 + 1 } }
        if !isDone { source.set(0) }
        #expect(End(task.awaitResult()) == .value(Self.steps))
      }
    }
  }

  @Test func `it can be cancelled at its end and at its head`() throws {
    try withDeadline(120) {
      for isEnd in [true, false] {
        let source = TaskCompletionSource<Int>()
        var tasks = [source.task]
        for step in 0..<Self.some {
          let last = tasks[step]
          tasks.append(step % 2 == 0 ? last.map { $0 + 1 } : last.recover { _ in 1 })
        }
        tasks[isEnd ? Self.some : 0].cancel()
        for task in [tasks[0], tasks[Self.some / 2], tasks[Self.some]] {
          #expect(End(task.awaitResult()) == .cancelled)
        }
      }
    }
  }

  @Test func `a chain that is not run is let go of without ado`() throws {
    try withDeadline(120) {
      for source in [ThrowableTask { 0 }, Self.later(0)] {
        var task = source
        for _ in 0..<Self.steps { task = task.map { $0 + 1 }.always {} }
      }
      var plain = Task { 0 }
      for _ in 0..<Self.steps { plain = plain.map { $0 + 1 } }
      var shared = TaskCompletionSource<Int>().task
      for _ in 0..<Self.steps { shared = shared.map { $0 + 1 } }
      #expect(End(shared.awaitResult()) == .lost)
    }
  }

  @Test func `all that works on a small stack too`() throws {
    try withDeadline(120) {
      Self.onSmallStack {
        var tasks = [ThrowableTask { 0 }, Self.later(0)]
        var shared = tasks[1].start()
        for _ in 0..<Self.some {
          tasks = tasks.map { task in task.map { $0 + 1 } }
          shared = shared.map { $0 + 1 }
        }
        #expect(tasks.map { End($0.awaitResult()) } == [.value(Self.some), .value(Self.some)])
        #expect(End(shared.awaitResult()) == .value(Self.some))
        @Sendable func add(_ level: Int) -> ThrowableTask<Int> {
          level == 0 ? ThrowableTask { 0 } : ThrowableTask { level }.flatMap { add($0 - 1) }.map { $0 + 1 }
        }
        #expect(End(add(Self.some).awaitResult()) == .value(Self.some))
        let source = TaskCompletionSource<Int>()
        var cancelled = source.task
        for _ in 0..<Self.some { cancelled = cancelled.map { $0 + 1 } }
        cancelled.cancel()
        #expect(End(source.task.awaitResult()) == .cancelled)
      }
    }
  }

  @Test func `a long chain is cancelled, or has its time up, while its source is on its way`() throws {
    try withDeadline(120) {
      let held = Held<Int>()
      var task = held.task()
      for _ in 0..<Self.steps { task = task.map { $0 + 1 }.recover { _ in 1 } }
      #expect(End(task.awaitResult(timeout: .milliseconds(5))) == .timedOut)
      #expect(End(task.timeout(.milliseconds(5)).awaitResult()) == .timedOut)
      let begun = held.count
      let end = Aside { [task] in End(task.awaitResult()) }
      #expect(held.hasBegun(begun + 1))
      task.cancel()
      #expect(end.result() == .cancelled)
      held.drop()
    }
  }

  @Test func `chains whose tasks somebody holds may be long as well`() throws {
    try withDeadline(120) {
      for source in [ThrowableTask { 0 }, Self.later(0)] {
        var tasks = [source]
        for step in 0..<Self.some { tasks.append(tasks[step].map { $0 + 1 }) }
        #expect(End(tasks[Self.some].awaitResult()) == .value(Self.some))
        tasks[Self.some / 2].cancel()
        #expect(End(tasks[Self.some].awaitResult()) == .cancelled)
        #expect(End(tasks[Self.some / 2 - 1].awaitResult()) == .value(Self.some / 2 - 1))
      }
    }
  }
}
