import Dispatch
import Foundation
import Testing

@testable import Taskig

struct TaskCompletionSourceTests {
  private typealias Source = TaskCompletionSource<Int>

  private func expectTrap(_ result: ExitTest.Result?, line: Int = 1_001, location: SourceLocation = #_sourceLocation) {
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for text in [
      "TaskCompletionSource<", "has been set before", "trySet", "TaskCompletionSourceTests.swift:\(line): Fatal error",
    ] {
      #expect(said.contains(text), "standard error was: \(said)", sourceLocation: location)
    }
  }

  @Test func `a handler that comes while the others are told is told too, whatever is set meanwhile`() throws {
    try withDeadline {
      let source = Source()
      let told = Counter()
      source.onCancel {
        #expect(!source.trySet(1))
        source.onCancel { told.increment() }
      }
      source.task.cancel()
      #expect(told.value == 1 && End(source.task.state) == .cancelled)
      source.onCancel { told.increment() }
      #expect(told.value == 2)
    }
  }

  @Test func `each way to set it gives the task its outcome`() throws {
    try withDeadline {
      let ways: [(@Sendable (Source) -> Void, End)] = [
        ({ $0.set(1) }, .value(1)),
        ({ $0.set(error: Failed()) }, .failed),
        ({ $0.setCancelled() }, .cancelled),
        ({ $0.set(.success(2)) }, .value(2)),
        ({ $0.set(.failure(Failed())) }, .failed),
        ({ $0.set(Result<Int, Failed>.success(5)) }, .value(5)),
        ({ $0.set(Result<Int, Failed>.failure(Failed())) }, .failed),
        ({ $0.set(.failure(CancellableTaskError.taskWasCancelled)) }, .cancelled),
        ({ #expect($0.trySet(3)) }, .value(3)),
        ({ #expect($0.trySet(error: Failed())) }, .failed),
        ({ #expect($0.trySetCancelled()) }, .cancelled),
        ({ #expect($0.trySet(.success(4))) }, .value(4)),
        ({ #expect($0.trySet(.failure(Failed()))) }, .failed),
      ]
      for (set, end) in ways {
        let source = Source()
        let waiting = Aside { End(source.task.awaitResult()) }
        #expect(!source.task.isCompleted)
        set(source)
        #expect(source.task.isCompleted && End(source.task.state) == end)
        #expect(source.task.isCancelled == (end == .cancelled))
        #expect(waiting.result() == end && End(source.task.awaitResult()) == end)
      }
    }
  }

  @Test func `one without a value is set without one`() throws {
    try withDeadline {
      let (set, tried) = (TaskCompletionSource<Void>(), TaskCompletionSource<Void>())
      set.set()
      #expect(tried.trySet() && !tried.trySet() && !set.trySet())
      try set.task.await()
      try tried.task.await()
    }
  }

  @Test func `values that look like results, errors and nothing are values`() throws {
    try withDeadline { () throws in
      let optional = TaskCompletionSource<Int?>()
      optional.set(nil)
      #expect(try optional.task.await() == nil)
      let result = TaskCompletionSource<TaskResult<Int>>()
      result.set(.success(.failure(Failed())))
      #expect(try End(result.task.await()) == .failed)
      let error = TaskCompletionSource<any Error>()
      error.set(Failed(number: 3))
      #expect(try error.task.await() as? Failed == Failed(number: 3))
      let void = TaskCompletionSource<Void>()
      void.set(error: Failed())
      #expect(throws: Failed()) { try void.task.await() }
    }
  }

  @Test func `whoever tries after another changes nothing`() throws {
    let source = Source()
    #expect(source.trySet(1))
    #expect(!source.trySet(2) && !source.trySet(error: Failed()) && !source.trySetCancelled())
    #expect(!source.trySet(.success(3)) && !source.trySet(.failure(Failed())))
    #expect(End(source.task.state) == .value(1))
    let set = Source()
    set.set(error: Failed())
    #expect(!set.trySet(1) && End(set.task.state) == .failed)
  }

  // In the body of an exit test `#line` is the line of the macro.
  private static let line = #line + 1
  private static func set(_ source: Source) { source.set(2) }

  @Test func `a second set traps at its line, in every form`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      let source = Source()
      Self.set(source)
      Self.set(source)
    }
    expectTrap(result, line: Self.line)
    let error = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      let source = Source()
      source.set(error: Failed())
      source.set(error: Failed(), line: 1_001)
    }
    expectTrap(error)
    let cancelled = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      let source = Source()
      source.setCancelled()
      source.setCancelled(line: 1_001)
    }
    expectTrap(cancelled)
    let ofResult = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      let source = Source()
      source.trySet(1)
      source.set(.success(2), line: 1_001)
    }
    expectTrap(ofResult)
    let void = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      let source = TaskCompletionSource<Void>()
      source.set()
      source.set(line: 1_001)
    }
    expectTrap(void)
  }

  @Test func `what is set after the consumer has cancelled is ignored`() throws {
    let sets: [(Source) -> Void] = [
      { $0.set(1) }, { $0.set(error: Failed()) }, { $0.setCancelled() }, { $0.set(.success(1)) },
      { #expect(!$0.trySet(1)) }, { #expect(!$0.trySet(error: Failed())) }, { #expect(!$0.trySetCancelled()) },
    ]
    for set in sets {
      let source = Source()
      source.task.cancel()
      #expect(source.task.isCancelled)
      set(source)
      #expect(source.task.isCancelled && End(source.task.state) == .cancelled)
      let derived = Source()
      derived.task.map { $0 }.cancel()
      #expect(derived.task.isCancelled)
      set(derived)
      #expect(End(derived.task.state) == .cancelled)
    }
  }

  @Test func `what a handler sets when the consumer cancels is ignored`() {
    let source = Source()
    source.onCancel { source.set(1) }
    source.task.cancel()
    #expect(End(source.task.state) == .cancelled)
  }

  @Test func `a source that is let go of fails its task, and the error names where it was made`() throws {
    try withDeadline {
      let line = #line + 1
      var source: Source? = Source()
      guard let task = source?.task else { return }
      let waiting = Aside { task.awaitResult() }
      let derived = task.map { $0 }
      source = nil
      #expect(source == nil && task.isCompleted && End(task.state) == .lost)
      for result in [waiting.result(), task.awaitResult(), derived.awaitResult()] {
        guard case .failure(TaskigError.neverCompleted(let name)) = result else {
          Issue.record("\(String(describing: result))")
          continue
        }
        #expect(name.contains("TaskCompletionSource<Int>"), "\(name)")
        #expect(name.contains("TaskCompletionSourceTests.swift:\(line)"), "\(name)")
      }
    }
  }

  @Test func `one that is let go of when its task is done changes nothing`() {
    for (set, end) in [
      ({ $0.set(1) }, .value(1)), ({ $0.set(error: Failed()) }, .failed), ({ $0.task.cancel() }, .cancelled),
    ] as [((Source) -> Void, End)] {
      let task: SharedTask<Int>
      do {
        let source = Source()
        task = source.task
        set(source)
      }
      #expect(End(task.state) == end)
    }
  }

  @Test func `handlers are called once when the consumer cancels, in order, and before anybody goes on`() throws {
    try withDeadline {
      for _ in 0..<Machine.stress(50) {
        let source = Source()
        let steps = Steps<Int>()
        for index in 0..<3 { source.onCancel { steps.note(index) } }
        source.task.async { _ in steps.note(3) }
        let waiting = Aside {
          _ = source.task.awaitResult()
          steps.note(3)
        }
        source.task.cancel()
        source.task.cancel()
        #expect(waiting.result() != nil && eventually { steps.all.count == 5 })
        #expect(steps.all == [0, 1, 2, 3, 3])
      }
    }
  }

  @Test func `a handler that comes after the consumer has cancelled is called at once`() {
    let source = Source()
    source.task.cancel()
    let calls = Counter()
    source.onCancel { calls.increment() }
    #expect(calls.value == 1)
    #expect(!source.trySet(1))
    source.onCancel { calls.increment() }
    #expect(calls.value == 2)
  }

  @Test func `a handler is called when something made from the task is cancelled`() {
    let (source, other) = (Source(), Source())
    let calls = Counter()
    source.onCancel { calls.increment() }
    other.onCancel { calls.increment() }
    source.task.map { $0 }.always {}.zip(other.task).cancel()
    #expect(calls.value == 2 && source.task.isCancelled && other.task.isCancelled)
  }

  @Test func `a handler is never called if the source is set, lost or said to be cancelled`() throws {
    try withDeadline {
      let calls = Counter()
      let sets: [(Source) -> Void] = [
        { $0.set(1) }, { $0.set(error: Failed()) }, { $0.setCancelled() }, { #expect($0.trySet(1)) }, { _ in },
      ]
      for set in sets {
        let task: SharedTask<Int>
        do {
          let source = Source()
          task = source.task
          source.onCancel { calls.increment() }
          set(source)
          if task.isCompleted { source.onCancel { calls.increment() } }
          if task.isCompleted { task.cancel() }
        }
        task.cancel()
        _ = task.awaitResult()
      }
      #expect(calls.value == 0)
    }
  }

  @Test func `a handler is not called for an await that ends`() throws {
    try withDeadline {
      let source = Source()
      let calls = Counter()
      source.onCancel { calls.increment() }
      #expect(End(source.task.awaitResult(timeout: .milliseconds(2))) == .timedOut)
      let begun = Gate()
      let task = ThrowableTask {
        begun.open()
        try source.task.await()
      }
      let waiting = Aside { task.awaitResult().isCancelled }
      #expect(begun.pass())
      task.cancel()
      #expect(waiting.result() == true && calls.value == 0)
    }
  }
}
