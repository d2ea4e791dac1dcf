import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Where the closures of the operators run, and that they may block there.
struct OperatorQueueTests {
  /// Tasks that succeed, and tasks that fail, of each kind.
  private static var ended: [(Face, Face)] {
    Array(zip(Face.each { 0 }, Face.each { throw Failed() }))
  }

  @Test func `a closure runs on the queue that it is given`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      let runs = Counter()
      for (success, failure) in Self.ended {
        let tasks = Face.followed(success, failure, on: own.queue) {
          if own.nameHere() == "own" { runs.increment() }
        }
        for task in tasks { #expect(task.end() == .value(1)) }
      }
      #expect(runs.value == 39)
      for queue in [DispatchQueue.global(), .utility] {
        for (success, failure) in Self.ended {
          let tasks = Face.followed(success, failure, on: queue) { dispatchPrecondition(condition: .onQueue(queue)) }
          for task in tasks { #expect(task.end() == .value(1)) }
        }
      }
    }
  }

  @Test func `a plain task's closures do so too`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      for source in [Task { 1 }, Task<Int> { completion in DispatchQueue.global().async { completion(1) } }] {
        #expect(source.map(on: own.queue) { _ in own.nameHere() }.await() == "own")
        #expect(source.flatMap(on: own.queue) { _ in Task { [name = own.nameHere()] in name } }.await() == "own")
        let names = Steps<String?>()
        #expect(source.always(on: own.queue) { names.note(own.nameHere()) }.await() == 1)
        #expect(names.all == ["own"])
      }
    }
  }

  @Test func `what follows a closure on a queue has left that queue`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      for (success, failure) in Self.ended {
        for task in Face.followed(success, failure, on: own.queue, by: {}) {
          let names = Steps<String?>()
          #expect(task.always { names.note(CurrentQueue.name) }.end() == .value(1))
          #expect(names.all.count == 1 && !names.all.contains("own"))
        }
      }
    }
  }

  @Test func `a closure with no queue does not run on its source's queue while others wait for that`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      for source in Face.each(on: own.queue, { own.nameHere() == "own" ? 1 : 0 }) {
        // If it held the queue, this would wait for itself.
        let chain = source.map { value in
          let entered = DispatchSemaphore(value: 0)
          own.queue.async { entered.signal() }
          return entered.wait(timeout: .now() + Machine.patience(10)) == .success ? value : -1
        }
        #expect(chain.end() == .value(1))
      }
    }
  }

  @Test func `a serial queue runs one closure at a time`() throws {
    try withDeadline { () throws in
      let own = NamedQueue("own")
      let running = Counter()
      let chains = (0..<200).map { i in
        ThrowableTask(executionQueue: i % 2 == 0 ? .utility : .taskDefault) { i }
          .map(on: own.queue) { value in
            running.increment()
            defer { running.decrement() }
            return value
          }
      }
      #expect(try chains.awaitAll(concurrency: .max) == Array(0..<200))
      #expect(try chains.map { $0.start() }.awaitAll() == Array(0..<200))
      #expect(running.peak == 1)
    }
  }

  @Test func `no closure runs on the thread that calls the completion of a callback-style source`() throws {
    try withDeadline {
      let (succeeding, failing) = (Held<Int>(), Held<Int>())
      let threads = Locked<[ObjectIdentifier]>([])
      let sources = zip(Face.each(succeeding), Face.each(failing))
      let tasks = sources.flatMap { success, failure in
        Face.followed(success, failure) { threads.withLock { $0.append(Machine.thread) } }
      }
      let ends = tasks.map { task in Aside { task.end() } }
      // Six are after each cold source that succeeds, seven after each that fails; the hot ones have been started once.
      #expect(succeeding.hasBegun(13) && failing.hasBegun(15))
      succeeding.complete(.success(0))
      failing.complete(.failure(Failed()))
      #expect(ends.map { $0.result() } == Array(repeating: .value(1), count: 39))
      #expect(threads.withLock { $0.count } == 39)
      #expect(threads.withLock { !$0.contains(Machine.thread) })
    }
  }

  @Test func `no closure of a shared task runs on the thread that sets it, or that adds the closure`() throws {
    try withDeadline {
      let threads = Locked<[ObjectIdentifier]>([])
      let (source, failing) = (TaskCompletionSource<Int>(), TaskCompletionSource<Int>())
      let note: @Sendable () -> Void = { threads.withLock { $0.append(Machine.thread) } }
      let before = Face.followed(.hot(source.task), .hot(failing.task), by: note)
      source.set(1)
      failing.set(error: Failed())
      let after = Face.followed(.hot(source.task), .hot(failing.task), by: note)
      for task in before + after { #expect(task.end() == .value(1)) }
      #expect(threads.withLock { $0.count } == 26)
      #expect(threads.withLock { !$0.contains(Machine.thread) })
    }
  }

  @Test func `a closure may await what the completing thread brings next`() throws {
    try withDeadline {
      let (first, second) = (Held<Int>(), Held<Int>())
      let next = second.task().start()
      #expect(second.hasBegun())
      let ends = Face.each(first).map { task in
        Aside { task.map { value in try value + next.await() }.end() }
      }
      #expect(first.hasBegun(3))
      first.complete(.success(1))
      second.complete(.success(2))
      #expect(ends.map { $0.result() } == [.value(3), .value(3), .value(3)])
    }
  }

  @Test func `so may one of a shared task's, in each operator`() throws {
    try withDeadline {
      let (first, failing, second) = (
        TaskCompletionSource<Int>(), TaskCompletionSource<Int>(), TaskCompletionSource<Int>()
      )
      let tasks = Face.followed(.hot(first.task), .hot(failing.task)) { _ = second.task.awaitResult() }
      first.set(1)
      failing.set(error: Failed())
      second.set(2)
      for task in tasks { #expect(task.end() == .value(1)) }
    }
  }

  @Test func `a hundred closures that block at once all start`() throws {
    try withDeadline {
      let all = Meeting(of: 100)
      let held = Held<Int>()
      let chains = (0..<100).map { _ in held.task().map { all.join() ? $0 : -1 }.start() }
      #expect(held.hasBegun(100))
      held.complete(.success(1))
      #expect(chains.awaitAllResults().map(End.init) == Array(repeating: .value(1), count: 100))
    }
  }
}
