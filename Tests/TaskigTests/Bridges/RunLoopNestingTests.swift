import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Run loops that go on until something holds, one in the middle of another, and in blocks of the main queue.
struct RunLoopNestingTests {
  private static func everyMillisecond(_ body: @escaping @Sendable () -> Void) -> Timer {
    let timer = Timer(timeInterval: 0.001, repeats: true) { _ in body() }
    RunLoop.current.add(timer, forMode: .default)
    return timer
  }

  /// Calls `body` once, soon, in the calling thread's run loop.
  private static func soon(_ body: @escaping @Sendable () -> Void) {
    // Made with an interval alone, it fires at once on Linux.
    let timer = Timer(fire: Date(timeIntervalSinceNow: 0.001), interval: 0, repeats: false) { _ in body() }
    RunLoop.current.add(timer, forMode: .default)
  }

  @Test func `until something holds, at once or later`() throws {
    try withDeadline { () throws in
      let ticks = Counter()
      let asked = Counter()
      #expect(try Task.awaitInRunLoop(until: { asked.increment() == 1 }))
      #expect(asked.value == 1)
      let timer = Self.everyMillisecond { ticks.increment() }
      #expect(try Task.awaitInRunLoop(until: { ticks.value >= 5 }, timeout: .seconds(60)))
      timer.invalidate()
      #expect(ticks.value >= 5)
    }
  }

  @Test func `until another thread has done something, without anything in the loop`() throws {
    try withDeadline { () throws in
      let flag = Flag()
      let thread = Machine.thread
      Task.async(delayBy: 0.02) { flag.set(true) }
      let holds = try Task.awaitInRunLoop(
        until: {
          #expect(Machine.thread == thread)
          return flag.isOn
        }, timeout: .seconds(60))
      #expect(holds)
    }
  }

  @Test func `or until the time is up, or the task is cancelled`() throws {
    try withDeadline { () throws in
      let clock = ContinuousClock()
      let begin = clock.now
      #expect(try !Task.awaitInRunLoop(until: { false }, timeout: .milliseconds(30)))
      #expect(clock.now - begin >= .milliseconds(30))

      let begun = Gate()
      let task = ThrowableTask {
        try Task.awaitInRunLoop(
          until: {
            begun.open()
            return false
          }) ? 1 : 0
      }
      let waiting = Aside { End(task.awaitResult()) }
      #expect(begun.pass())
      task.cancel()
      #expect(waiting.result() == .cancelled)

      let late = ThrowableTask { try Task.awaitInRunLoop(until: { false }) ? 1 : 0 }
      #expect(End(late.awaitResult(timeout: .milliseconds(20))) == .timedOut)
      let held = ThrowableTask { () -> Int in
        // It holds, cancelled or not.
        try Task.awaitInRunLoop(until: { Task.isCancelled }) ? 1 : 0
      }
      #expect(End(held.awaitResult(timeout: .milliseconds(20))) == .timedOut)
    }
  }

  @Test func `the inner one ends first, three deep`() throws {
    try withDeadline { () throws in
      let steps = Steps<String>()
      let (outer, middle, inner) = (Gate(), Gate(), Gate())
      // One timer for each: none fires while it is in the middle of firing.
      Self.soon {
        Self.soon {
          Self.soon {
            // What the other two wait for is done while this one goes on.
            outer.open()
            middle.open()
            Task.async(delayBy: 0.02) { inner.open() }
            _ = try? Task.awaitInRunLoop(until: { inner.pass(within: 0) }, timeout: .seconds(60))
            steps.note("inner")
          }
          Task { middle.pass() }.awaitInRunLoop()
          steps.note("middle")
        }
        Task { outer.pass() }.awaitInRunLoop()
        steps.note("outer")
      }
      #expect(try Task.awaitInRunLoop(until: { steps.all.count == 3 }, timeout: .seconds(60)))
      #expect(steps.all == ["inner", "middle", "outer"])
    }
  }

  @Test func `one that is called off in the middle of another leaves that as it is`() throws {
    try withDeadline { () throws in
      let (outer, held) = (Gate(), Held<Int>())
      let ends = Steps<End>()
      Self.soon {
        let task = held.task()
        ends.note(End(TaskResult { try task.awaitInRunLoop(timeout: .milliseconds(10)) }))
        Task.async(delayBy: 0.01) { task.cancel() }
        ends.note(End(TaskResult { try task.awaitInRunLoop() }))
        outer.open()
      }
      #expect(try ThrowableTask { outer.pass() }.awaitInRunLoop())
      #expect(ends.all == [.timedOut, .cancelled])
      held.drop()
    }
  }

  @Test func `what comes up in the loop may wait as usual, and is no part of what is waited for`() throws {
    try withDeadline { () throws in
      let seen = Steps<[Bool]>()
      let own = NamedQueue("own")
      let flag = Flag()
      let task = ThrowableTask { () -> Int in
        let timer = Self.everyMillisecond {
          let name = Task(executionQueue: own.queue) { own.nameHere() }.await()
          let isThere = (try? ThrowableTask { 1 }.await(timeout: .seconds(60))) == 1
          seen.note([name == "own", isThere, Task.isCancelled])
          if seen.all.count > 3 { flag.set(true) }
        }
        defer { timer.invalidate() }
        return try Task.awaitInRunLoop(until: { flag.isOn }, timeout: .seconds(60)) ? 1 : 0
      }
      #expect(try task.await() == 1)
      #expect(Set(seen.all) == [[true, true, false]])
    }
  }

  @Test func `async code inside is waited for, and waits so`() throws {
    try withDeadline { () throws in
      let fired = Gate()
      let timer = Self.everyMillisecond { fired.open() }
      let value = Task.fromAsync { () -> Bool in
        await _Concurrency.Task.yield()
        return await Task { fired.pass() }.value
      }.awaitInRunLoop()
      timer.invalidate()
      #expect(value)
    }
  }

  @Test func `a plain task that lets go of its completion traps`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      _ = blocking { Task<Int> { (_: @escaping @Sendable (Int) -> Void) in }.awaitInRunLoop() }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("never completed") && said.contains("RunLoopNestingTests.swift"), "\(said)")
  }

  @Test func `it may be called where blocking the main thread is forbidden`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      TaskigSettings.forbidsBlockingMainThread = true
      DispatchQueue.main.async {
        let one = Task { 1 }.awaitInRunLoop()
        let two = try? ThrowableTask { 2 }.awaitInRunLoop(timeout: .seconds(60))
        let holds = try? Task.awaitInRunLoop(until: { true })
        let shared = try? SharedTask<Int>(.success(4)).awaitInRunLoop()
        exit(one == 1 && two == 2 && holds == true && shared == 4 ? 3 : 4)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `inside a block of the main queue, timers go on, and tasks of that queue that are waited for`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      DispatchQueue.main.async {
        let fired = Gate()
        let timer = RunLoopNestingTests.everyMillisecond { fired.open() }
        let isFired = Task { fired.pass() }.awaitInRunLoop()
        timer.invalidate()
        let direct = Task(executionQueue: .main) { isOnMain() }.awaitInRunLoop()
        let indirect = Task { Task(executionQueue: .main) { isOnMain() }.await() }.awaitInRunLoop()
        exit(isFired && direct && indirect ? 3 : 4)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `what comes up in a loop is no part of the async code that waits there, on the thread where it began`()
    throws
  {
    try withDeadline {
      let (seen, begun) = (Steps<Bool>(), Gate())
      let task = ThrowableTask.fromAsync { Self.wait(noting: seen, begun) }
      // Before that, the code would not begin at all.
      Task.async { if begun.pass() { task.cancel() } }
      task.awaitResult()
      #expect(seen.all == [true, false])
    }
  }

  /// Waits for a timer of the calling thread, which looks whether it was cancelled, until this has been; both note that.
  ///
  /// It opens `begun` when it waits.
  private static func wait(noting seen: Steps<Bool>, _ begun: Gate) {
    let isCancelled = Locked(false)
    let look = { @Sendable in
      let isOver = isCancelled.withLock { $0 }
      if isOver, seen.all.count == 1 { seen.note(Task.isCancelled) }
    }
    let timer = everyMillisecond(look)
    defer { timer.invalidate() }
    // A plain task, which no cancellation ends.
    Task<Void> { done in
      Task.onCancel {
        seen.note(true)
        isCancelled.withLock { $0 = true }
        DispatchQueue.global().async { if eventually({ seen.all.count == 2 }) { done(()) } }
      }
      begun.open()
    }.awaitInRunLoop()
  }
}
