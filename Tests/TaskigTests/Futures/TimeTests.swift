import Dispatch
import Foundation
import Testing

@testable import Taskig

/// The operators that wait, and the one that does not wait any longer.
struct TimeTests {
  private final class Token: Sendable {}

  private static let short = Duration.milliseconds(10)
  /// Longer than any test takes.
  private static let long = Duration.seconds(3_600)
  private static let none: [Duration] = [
    .zero, .nanoseconds(-1), .seconds(-3_600), .seconds(Int64.min),
  ]
  private static let forEver: [Duration] = [.seconds(Int64.max), .seconds(101 * 365 * 86_400)]

  /// Whether `body` results in `value` and takes as long as the short time at least.
  private static func isHeldUp<Value: Equatable>(_ value: Value, _ body: () -> Value) -> Bool {
    var result: Value?
    let time = ContinuousClock().measure { result = body() }
    return result == value && time >= short
  }

  @Test func `a delay comes after the value, and is no shorter than it is said to be`() throws {
    try withDeadline {
      for task in Face.each({ 1 }) {
        let ran = Gate()
        let task = task.always { ran.open() }
        #expect(task.end() == .value(1))
        #expect(Self.isHeldUp(.value(1)) { task.delay(for: Self.short).end() })
      }
      #expect(Self.isHeldUp(1) { Task { 1 }.delay(for: Self.short).await() })
      #expect(Self.isHeldUp(1) { OwnPlainTask { 1 }.delay(for: Self.short).await() })
      #expect(Self.isHeldUp(.value(1)) { ThrowableTask.delay(for: Self.short).map { 1 }.end })
      #expect(Self.isHeldUp(.value(1)) { ThrowableTask.delay(for: Self.short).start().map { 1 }.end })
    }
  }

  @Test func `zero and less are no delay`() throws {
    try withDeadline { () throws in
      for duration in Self.none {
        for task in Face.each({ 1 }) { #expect(task.delay(for: duration).end() == .value(1)) }
        #expect(Task { 1 }.delay(for: duration).await() == 1)
        try ThrowableTask.delay(for: duration).await()
        try ThrowableTask.delay(for: duration).start().await()
      }
    }
  }

  @Test func `a delay without end can be cancelled, and have its time up`() throws {
    try withDeadline {
      for duration in Self.forEver + [Self.long] {
        for task in Face.each({ 1 }) {
          let passed = Gate()
          let chain = task.always { passed.open() }.delay(for: duration)
          let end = Aside { chain.end() }
          #expect(passed.pass())
          #expect(chain.end(within: .milliseconds(1)) == .timedOut)
          chain.cancel()
          #expect(end.result() == .cancelled)
          #expect(task.delay(for: duration).timeout(.milliseconds(1)).end() == .timedOut)
        }
        let delay = ThrowableTask.delay(for: duration)
        let (waiting, shared) = (Aside { delay.awaitResult().isCancelled }, delay.start())
        delay.cancel()
        #expect(waiting.result() == true && shared.awaitResult().isCancelled)
      }
    }
  }

  @Test func `a plain task may have a delay without end`() async {
    await #expect(processExitsWith: .success) {
      blocking {
        for duration in TimeTests.forEver + [TimeTests.long] {
          let endless = Task { 1 }.delay(for: duration)
          if endless.await(timeout: .milliseconds(1)) != nil { exit(1) }
          if endless.timeout(.milliseconds(1)).await() != nil { exit(2) }
        }
      }
    }
  }

  @Test func `a failure is not held up, nor what comes of a cancelled task`() throws {
    try withDeadline {
      for task in Face.each({ throw Failed() }) { #expect(task.delay(for: Self.long).end() == .failed) }
      for task in Face.eachCancelled { #expect(task.delay(for: Self.long).end() == .cancelled) }
    }
  }

  @Test func `delays hold no threads, and end while all threads are blocked`() throws {
    try withDeadline { () throws in
      let (goOn, begun) = (Gate(), Meeting(of: 101))
      let blocked = (0..<100).map { _ in
        ThrowableTask {
          _ = begun.join()
          goOn.pass()
        }.start()
      }
      #expect(begun.join())
      let delays = (0..<1_000).map { i in ThrowableTask.delay(for: .milliseconds(5)).map { i } }
      #expect(try delays.whenAll(concurrency: .max).await() == Array(0..<1_000))
      #expect(Task { 1 }.delay(for: Self.short).await() == 1)
      #expect(
        ThrowableTask<Int> { (_: @escaping Held<Int>.Complete) in goOn.pass() }.timeout(Self.short).end == .timedOut)
      goOn.open()
      try blocked.awaitAll()
    }
  }

  @Test func `what is done in time is had, failures too`() throws {
    try withDeadline {
      for duration in Self.forEver + [Self.long] {
        for task in Face.each({ 1 }) { #expect(task.timeout(duration).end() == .value(1)) }
        for task in Face.each({ throw Failed() }) { #expect(task.timeout(duration).end() == .failed) }
        #expect(Task { 1 }.timeout(duration).await() == 1)
        #expect(OwnPlainTask { 1 }.timeout(duration).await() == 1)
      }
    }
  }

  @Test func `what is not done in time is cancelled, unless it is shared`() throws {
    try withDeadline {
      let (held, heldPlain, heldShared) = (Held<Int>(), Held<Int>(), Held<Int>())
      let (cancellations, cancellationsOfShared, calls) = (Counter(), Counter(), Counter())
      let time = Duration.milliseconds(50)
      let cold = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        Task.onCancel { cancellations.increment() }
        held.hold(completion)
      }
      // On a busy machine the time may be up before the action has begun, and then it never does: once more.
      repeat { #expect(cold.map { $0 + calls.increment() }.timeout(time).end == .timedOut) } while held.count == 0
      #expect(eventually { cancellations.value == held.count })
      let plain = Task<Int> { completion in
        Task.onCancel { cancellations.increment() }
        heldPlain.hold { if case .success(let value) = $0 { completion(value) } }
      }
      repeat { #expect(plain.map { $0 + calls.increment() }.timeout(time).await() == nil) } while heldPlain.count == 0
      #expect(eventually { cancellations.value == held.count + heldPlain.count })
      let shared = ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
        Task.onCancel { cancellationsOfShared.increment() }
        heldShared.hold(completion)
      }.start()
      #expect(heldShared.hasBegun())
      #expect(shared.timeout(time).end == .timedOut)
      #expect(cancellationsOfShared.value == 0 && !shared.isCompleted && calls.value == 0)
      for each in [held, heldPlain, heldShared] { each.complete(.success(1)) }
      #expect(shared.end == .value(1))
    }
  }

  @Test func `a body that blocks is not waited for, and can see that it is late`() throws {
    try withDeadline {
      let (goOn, begun, seen) = (Gate(), Counter(), Counter())
      for queue in [DispatchQueue.taskDefault, .utility, DispatchQueue(label: "own")] {
        let body: @Sendable () -> Int = {
          begun.increment()
          goOn.pass()
          // Whoever waits is told before it is called off.
          if eventually({ Task.isCancelled }) { seen.increment() }
          return 1
        }
        let cold = ThrowableTask(executionQueue: queue, action: body)
        #expect(cold.timeout(Self.short).map { $0 }.end == .timedOut)
        #expect(OwnTask(on: queue, body).timeout(Self.short).map { $0 }.end == .timedOut)
        #expect(Task(executionQueue: queue, action: body).timeout(Self.short).await() == nil)
        let shared = ThrowableTask(executionQueue: queue) { goOn.pass() ? 1 : 2 }.start()
        #expect(shared.timeout(Self.short).map { $0 }.end == .timedOut)
      }
      goOn.open()
      // On a busy machine the time may be up before the body has begun, and then it never does.
      #expect(eventually { seen.value == begun.value })
    }
  }

  @Test func `with no time at all nothing runs`() throws {
    try withDeadline {
      let runs = Counter()
      for duration in Self.none {
        #expect(ThrowableTask { runs.increment() }.timeout(duration).end == .timedOut)
        #expect(OwnTask { runs.increment() }.timeout(duration).end == .timedOut)
        #expect(Task<Int> { runs.increment() }.timeout(duration).await() == nil)
        #expect(TaskCompletionSource<Int>().task.timeout(duration).end != .value(1))
      }
      #expect(runs.value == 0)
    }
  }

  @Test func `a plain task's own nil is told from that of the time`() throws {
    try withDeadline {
      let done: Int?? = Task<Int?> { nil }.timeout(Self.long).await()
      let late: Int?? = Task<Int?> { nil }.timeout(.zero).await()
      #expect(done == .some(nil))
      #expect(late == .none)
    }
  }

  @Test func `recover makes something of the time, and the innermost timeout counts`() throws {
    try withDeadline {
      let held = Held<Int>()
      for task in Face.each(held) {
        #expect(task.timeout(Self.short).recover { _ in 5 }.timeout(Self.long).end() == .value(5))
        #expect(task.timeout(Self.long).timeout(Self.short).end() == .timedOut)
      }
      held.drop()
    }
  }

  @Test func `a delay or a timeout that is over lets go of all that is captured`() throws {
    try withDeadline {
      let weak = Locked<[() -> Bool]>([])
      @Sendable func capture() -> Token {
        let token = Token()
        weak.withLock { $0.append { [weak token] in token == nil } }
        return token
      }
      let held = Held<Int>()
      func run() {
        for task in Face.each({ 1 }) {
          let delayed = task.map { [token = capture()] value in withExtendedLifetime(token) { value } }
            .delay(for: Self.long)
            .map { [token = capture()] value in withExtendedLifetime(token) { value } }
          let end = Aside { delayed.end() }
          delayed.cancel()
          #expect(end.result() == .cancelled)
        }
        for task in Face.each({ 1 }) {
          let done = task.map { [token = capture()] value in withExtendedLifetime(token) { value } }.timeout(Self.long)
          #expect(done.end() == .value(1))
        }
        for task in Face.each(held) where !task.isHot {
          let late = task.map { [token = capture()] value in withExtendedLifetime(token) { value } }.timeout(Self.short)
          #expect(late.end() == .timedOut)
        }
      }
      run()
      held.drop()
      #expect(eventually { weak.withLock { $0.allSatisfy { $0() } } })
    }
  }
}

extension ThrowableTaskType<Int> {
  fileprivate var end: End { End(awaitResult()) }
}
