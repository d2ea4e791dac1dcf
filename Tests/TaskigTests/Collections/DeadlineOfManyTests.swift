import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Awaiting many tasks, but no longer than so long.
struct DeadlineOfManyTests {
  /// Longer than any test takes.
  private static let long = Duration.seconds(3_600)
  private static let short = Duration.milliseconds(20)

  /// What `body` gives with a time that is up for `late` of its tasks, and not for the quick ones: a longer and longer one, since the
  /// machine may be busy.
  private static func ends(late: Int, _ body: (Duration) -> [End]) -> [End] {
    var timeout = Duration.milliseconds(250)
    while true {
      let ends = body(timeout)
      if ends.count(where: { $0 == .timedOut }) <= late || timeout > .seconds(30) { return ends }
      timeout += timeout
    }
  }

  @Test func `what is done in time is had, in sequences and dictionaries`() throws {
    try withDeadline {
      for timeout in [Self.long, .seconds(Int64.max)] {
        for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own"), .utility] {
          let plain = (0..<5).map { i in Task(executionQueue: queue) { i } }
          let throwing = plain.throwableTasks
          let keyed = ["a": plain[1], "b": plain[2]]
          #expect(plain.awaitAll(timeout: timeout) == [0, 1, 2, 3, 4])
          #expect(plain.awaitAll(timeout: timeout, concurrency: 1) == [0, 1, 2, 3, 4])
          let values = try throwing.awaitAll(timeout: timeout)
          #expect(values == [0, 1, 2, 3, 4])
          #expect(throwing.awaitAllResults(timeout: timeout).map(End.init) == (0..<5).map(End.value))
          #expect(keyed.awaitAll(timeout: timeout) == ["a": 1, "b": 2])
          #expect(
            keyed.throwableTasks.awaitAllResults(timeout: timeout).mapValues(End.init) == [
              "a": .value(1), "b": .value(2),
            ])
          let first = [plain[3]].awaitFirst(timeout: timeout)
          let firstThrowing = try ["x": throwing[3]].awaitFirst(timeout: timeout)
          let success = try [throwing[3]].awaitFirstSuccess(timeout: timeout)
          let keyedSuccess = try ["x": throwing[3]].awaitFirstSuccess(timeout: timeout)
          #expect(first == 3 && firstThrowing == 3 && success == 3 && keyedSuccess == 3)
        }
      }
    }
  }

  @Test func `what is not, is not, and the finished ones keep their results`() throws {
    try withDeadline(180) {
      let held = Held<Int>()
      let goOn = Gate()
      let quick = ThrowableTask { 1 }
      let failing = ThrowableTask<Int> { throw Failed() }
      let slow = ThrowableTask { goOn.pass() ? 2 : 3 }
      let tasks = [quick, failing, held.task(), slow, quick]
      let results = Self.ends(late: 2) { tasks.awaitAllResults(timeout: $0).map(End.init) }
      #expect(results == [.value(1), .failed, .timedOut, .timedOut, .value(1)])
      let keyed = ["q": quick, "h": held.task(), "f": failing]
      let keyedResults = Self.ends(late: 1) { timeout in
        keyed.awaitAllResults(timeout: timeout).sorted { $0.key < $1.key }.map { End($0.value) }
      }
      #expect(keyedResults == [.failed, .timedOut, .value(1)])
      held.complete(.success(9))
      goOn.open()
      #expect(results == [.value(1), .failed, .timedOut, .timedOut, .value(1)])
    }
  }

  @Test func `all other forms give nothing`() throws {
    try withDeadline {
      let held = Held<Int>()
      let goOn = Gate()
      let ended = Counter()
      let plain = [
        Task { 1 },
        Task {
          goOn.pass()
          ended.increment()
          return 2
        },
      ]
      let slow = Task {
        goOn.pass()
        return ended.increment()
      }
      #expect(plain.awaitAll(timeout: Self.short) == nil)
      #expect(["a": slow].awaitAll(timeout: Self.short) == nil)
      #expect([slow, slow].awaitFirst(timeout: Self.short) == nil)
      #expect(["a": slow].awaitFirst(timeout: Self.short) == nil)
      let tasks = [held.task(), held.task(on: DispatchQueue(label: "own"))]
      let keyed = ["a": held.task()]
      #expect(throws: TaskigError.timedOut) { try tasks.awaitAll(timeout: Self.short) }
      #expect(throws: TaskigError.timedOut) { try keyed.awaitAll(timeout: Self.short) }
      #expect(throws: TaskigError.timedOut) { try tasks.awaitFirst(timeout: Self.short) }
      #expect(throws: TaskigError.timedOut) { try keyed.awaitFirst(timeout: Self.short) }
      #expect(throws: TaskigError.timedOut) { try tasks.awaitFirstSuccess(timeout: Self.short) }
      #expect(throws: TaskigError.timedOut) { try keyed.awaitFirstSuccess(timeout: Self.short) }
      goOn.open()
      held.complete(.success(1))
      held.drop()
    }
  }

  @Test func `a failure on the way is not a success in time`() throws {
    try withDeadline {
      let held = Held<Int>()
      let failing = ThrowableTask<Int> { throw Failed() }
      #expect(throws: TaskigError.timedOut) { try [failing, held.task()].awaitFirstSuccess(timeout: Self.short) }
      #expect(throws: Failed.self) { try [failing, held.task()].awaitFirst(timeout: Self.long) }
      #expect(throws: AggregateError<Int>.self) { try [failing, failing].awaitFirstSuccess(timeout: Self.long) }
      held.drop()
    }
  }

  @Test func `when the time is up nothing more starts, and what runs is cancelled`() throws {
    try withDeadline {
      for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own"), .utility] {
        let runs = Counter()
        let cancelled = Counter()
        let ended = Gate()
        let tasks = (0..<10).map { i in
          ThrowableTask(executionQueue: queue) { () throws -> Int in
            if runs.increment() > 1 { return i }
            Task.onCancel { cancelled.increment() }
            defer { ended.open() }
            try Task.sleep(for: Self.long)
            return i
          }
        }
        #expect(throws: TaskigError.timedOut) { try tasks.awaitAll(timeout: .milliseconds(500), concurrency: 1) }
        // If the machine was so busy that nothing began, there was nothing to be cancelled.
        guard runs.value > 0 else { continue }
        #expect(ended.pass())
        if queue !== DispatchQueue.taskDefault { queue.sync(flags: .barrier) {} }
        #expect(runs.value == 1 && cancelled.value == 1)
      }
    }
  }

  @Test func `with no time nothing starts`() throws {
    try withDeadline {
      let runs = Counter()
      let plain = [Task<Int> { runs.increment() }]
      let throwing = plain.throwableTasks
      for timeout in [Duration.zero, .seconds(-5)] {
        #expect(plain.awaitAll(timeout: timeout) == nil)
        #expect(plain.awaitFirst(timeout: timeout) == nil)
        #expect(throwing.awaitAllResults(timeout: timeout).map(End.init) == [.timedOut])
        #expect(throws: TaskigError.timedOut) { try throwing.awaitAll(timeout: timeout) }
        #expect(throws: TaskigError.timedOut) { try throwing.awaitFirst(timeout: timeout) }
      }
      #expect(runs.value == 0)
    }
  }

  @Test func `none are done at once, in whatever time`() throws {
    try withDeadline {
      for timeout in [Self.long, .zero] {
        #expect([Task<Int>]().awaitAll(timeout: timeout) == [])
        #expect([ThrowableTask<Int>]().awaitAllResults(timeout: timeout).isEmpty)
        #expect([String: Task<Int>]().awaitAll(timeout: timeout) == [:])
        #expect(throws: TaskigError.emptySequence) { try [ThrowableTask<Int>]().awaitFirst(timeout: timeout) }
        #expect(throws: TaskigError.emptySequence) { try [ThrowableTask<Int>]().awaitFirstSuccess(timeout: timeout) }
      }
    }
  }
}
