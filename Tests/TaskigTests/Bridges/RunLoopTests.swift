import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Waits in which the thread's run loop goes on, on threads of their own.
struct RunLoopTests {
  private typealias Complete = Held<Int>.Complete

  /// Calls `body` in the run loop of the calling thread, soon or after some `seconds`.
  private static func inLoop(
    after seconds: Double = 0.001, _ mode: RunLoop.Mode = .default, _ body: @escaping @Sendable () -> Void
  ) {
    // Made with an interval alone, it fires at once on Linux.
    let timer = Timer(fire: Date(timeIntervalSinceNow: seconds), interval: 0, repeats: false) { _ in body() }
    RunLoop.current.add(timer, forMode: mode)
  }

  @Test func `a timer of the thread fires meanwhile, on it`() throws {
    try withDeadline { () throws in
      let thread = Machine.thread
      let fired = Gate()
      Self.inLoop {
        #expect(Machine.thread == thread)
        fired.open()
      }
      // It is done only when the timer has fired.
      #expect(Task { fired.pass() }.awaitInRunLoop())
      let again = Gate()
      Self.inLoop { again.open() }
      #expect(try ThrowableTask { again.pass() }.awaitInRunLoop())
    }
  }

  @Test func `a callback that comes from the loop completes the task`() throws {
    try withDeadline { () throws in
      let held = Held<Int>()
      let task = ThrowableTask<Int> { (completion: @escaping Complete) in held.hold(completion) }
      // The timer may come before the action does, so it comes again.
      let timer = Timer(timeInterval: 0.001, repeats: true) { _ in held.release(.success(5)) }
      RunLoop.current.add(timer, forMode: .default)
      #expect(try task.awaitInRunLoop() == 5)
      timer.invalidate()
    }
  }

  @Test func `a thread with nothing in its loop waits as well`() throws {
    try withDeadline { () throws in
      let gate = Gate()
      Task.async(delayBy: 0.03) { gate.open() }
      #expect(Task { gate.pass() }.awaitInRunLoop())
      #expect(try ThrowableTask { 3 }.awaitInRunLoop() == 3)
      #expect(Task<Int> { completion in DispatchQueue.global().async { completion(4) } }.awaitInRunLoop() == 4)
    }
  }

  @Test func `what is scheduled in another mode waits`() throws {
    try withDeadline { () throws in
      let mode = RunLoop.Mode("tests.mode")
      let (plain, special) = (Flag(), Gate())
      Self.inLoop(after: 0.0001) { plain.set(true) }
      Self.inLoop(after: 0.02, mode) { special.open() }
      #expect(Task { special.pass() }.awaitInRunLoop(mode: mode))
      #expect(!plain.isOn)
      #expect(try Task.awaitInRunLoop(until: { plain.isOn }, timeout: .seconds(60)))
    }
  }

  @Test func `errors and results come out as from await`() throws {
    try withDeadline { () throws in
      for face in Face.each({ throw Failed(number: 2) }) { #expect(face.runLoopEnd() == .failed) }
      for face in Face.each({ 2 }) { #expect(face.runLoopEnd() == .value(2)) }
      for face in Face.eachCancelled { #expect(face.runLoopEnd() == .cancelled) }
      let dropped = ThrowableTask<Int> { (_: @escaping Complete) in }
      #expect(End(TaskResult { try dropped.awaitInRunLoop() }) == .lost)
      #expect(try SharedTask<Int>(.success(9)).awaitInRunLoop() == 9)
    }
  }

  @Test func `the action runs on its queue, or on another thread`() throws {
    try withDeadline { () throws in
      let (own, thread) = (NamedQueue("own"), Machine.thread)
      #expect(Task(executionQueue: own.queue) { own.nameHere() }.awaitInRunLoop() == "own")
      #expect(Task { Machine.thread }.awaitInRunLoop() != thread)
    }
  }

  @Test func `when the time is up, it ends and the run is cancelled`() throws {
    try withDeadline { () throws in
      let held = Held<Int>()
      let told = Counter()
      let task = ThrowableTask<Int> { (completion: @escaping Complete) in
        Task.onCancel { told.increment() }
        held.hold(completion)
      }
      #expect(throws: TaskigError.self) { try task.awaitInRunLoop(timeout: .milliseconds(100)) }
      #expect(eventually { told.value == held.count })
      let plain = Task<Int> { (completion: @escaping @Sendable (Int) -> Void) in
        held.hold { completion((try? $0.get()) ?? 0) }
      }
      #expect(plain.awaitInRunLoop(timeout: .milliseconds(20)) == nil)
      #expect(Task { 1 }.awaitInRunLoop(timeout: .seconds(60)) == 1)
      #expect(try ThrowableTask { 1 }.awaitInRunLoop(timeout: .seconds(60)) == 1)
      held.drop()
    }
  }

  @Test func `no time at all is up at once, and nothing runs`() throws {
    try withDeadline { () throws in
      let runs = Counter()
      let (plain, throwing) = (Task { runs.increment() }, ThrowableTask { runs.increment() })
      for timeout in [Duration.zero, .seconds(-1), .nanoseconds(-1)] {
        #expect(plain.awaitInRunLoop(timeout: timeout) == nil)
        #expect(End(TaskResult { try throwing.awaitInRunLoop(timeout: timeout) }) == .timedOut)
        #expect(try !Task.awaitInRunLoop(until: { false }, timeout: timeout))
        #expect(try Task.awaitInRunLoop(until: { true }, timeout: timeout))
      }
      #expect(runs.value == 0)
      #expect(plain.awaitInRunLoop(timeout: .seconds(Int64.max)) == 1)
      #expect(try Task.awaitInRunLoop(until: { runs.value == 1 }, timeout: .seconds(Int64.max)))
    }
  }

  @Test func `cancelling the task ends the wait, and reaches what it runs`() throws {
    try withDeadline { () throws in
      let (held, told) = (Held<Int>(), Counter())
      let task = ThrowableTask<Int> { (completion: @escaping Complete) in
        Task.onCancel { told.increment() }
        held.hold(completion)
      }
      let waiting = Aside { End(TaskResult { try task.awaitInRunLoop() }) }
      let outer = ThrowableTask { try task.awaitInRunLoop() }
      let other = outer.start()
      #expect(held.hasBegun(2))
      other.cancel()
      #expect(eventually { told.value == 1 })
      #expect(!waiting.isDone)
      task.cancel()
      #expect(waiting.result() == .cancelled)
      #expect(told.value == 2)
      held.drop()
    }
  }

  @Test func `a queue that the thread holds is lent meanwhile`() throws {
    try withDeadline { () throws in
      let (first, second) = (NamedQueue("first"), NamedQueue("second"))
      let names = Task(executionQueue: first.queue) { () -> [String?] in
        let inner = Task(executionQueue: first.queue) { first.nameHere() }
        return [
          inner.awaitInRunLoop(), inner.awaitInRunLoop(timeout: .seconds(60)) ?? nil,
          Task(executionQueue: second.queue) { inner.await() }.awaitInRunLoop(),
          Task { inner.await() }.awaitInRunLoop(),
        ]
      }.await()
      #expect(names == Array(repeating: "first", count: 4))
      let held = first.queue.sync { Task(executionQueue: first.queue) { first.nameHere() }.awaitInRunLoop() }
      #expect(held == "first")
    }
  }

  @Test func `hundreds of short ones go by in a row`() throws {
    try withDeadline { () throws in
      var sum = 0
      for i in 0..<Machine.stress(300) { sum += Task { i }.awaitInRunLoop() }
      #expect(sum == (0..<Machine.stress(300)).reduce(0, +))
      let timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
      RunLoop.current.add(timer, forMode: .default)
      var later = 0
      for _ in 0..<Machine.stress(100) { later += try ThrowableTask { 1 }.awaitInRunLoop(timeout: .seconds(60)) }
      timer.invalidate()
      #expect(later == Machine.stress(100))
    }
  }

  @Test func `nothing is kept alive when it is done`() throws {
    try withDeadline { () throws in
      let population = Population()
      do {
        let member = population.member()
        let body: @Sendable () -> Int = { withExtendedLifetime(member) { 1 } }
        #expect(Task(action: body).awaitInRunLoop() == 1)
        #expect(try ThrowableTask(action: body).awaitInRunLoop(timeout: .seconds(60)) == 1)
        #expect(try Task.awaitInRunLoop(until: { body() == 1 }))
      }
      #expect(population.hasDied(), "\(population.count)")
    }
  }
}
