import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What becomes of chains of shared tasks when one of them is cancelled.
struct SharedChainCancellationTests {
  private static func isCancelled(_ task: SharedTask<Int>) -> Bool {
    if case .cancelled = task.state { true } else { false }
  }

  private static let operators: [@Sendable (SharedTask<Int>) -> SharedTask<Int>] = [
    { $0.map { $0 } },
    { $0.flatMap { value in ThrowableTask { value } } },
    { $0.flatMap { value in Task { value } } },
    { $0.mapError { $0 } },
    { $0.recover { _ in 1 } },
    { $0.recover { _ in ThrowableTask { 1 } } },
    { $0.mapResult { try $0.get() } },
    { $0.flatMapResult { result in ThrowableTask { try result.get() } } },
    { $0.always {} },
    { $0.delay(for: .milliseconds(1)) },
    { $0.timeout(.seconds(3_600)) },
    { $0.zip($0).map { $0.0 } },
    { [$0, $0].whenAll().map { $0[0] } },
    { [$0].whenAny() },
    { [$0].whenAnySuccess().mapError { _ in CancellableTaskError.taskWasCancelled } },
    { [$0, $0].whenAllResults().map { try $0[1].get() } },
  ]

  @Test func `cancelling the end cancels the head, through each operator`() throws {
    try withDeadline {
      for follow in Self.operators {
        let source = TaskCompletionSource<Int>()
        let calls = Counter()
        source.onCancel { calls.increment() }
        let end = follow(follow(source.task))
        end.cancel()
        #expect(Self.isCancelled(end))
        #expect(Self.isCancelled(source.task))
        #expect(calls.value == 1)
        #expect(!source.trySet(1))
      }
    }
  }

  @Test func `cancelling the head cancels all that has been made of it, through each operator`() throws {
    try withDeadline {
      for (index, follow) in Self.operators.enumerated() {
        let source = TaskCompletionSource<Int>()
        let ends = [follow(source.task), follow(follow(source.task)), source.task.map { $0 }]
        source.task.cancel()
        #expect(ends.map { End($0.awaitResult()) } == [.cancelled, .cancelled, .cancelled], "operator \(index)")
        #expect(ends.allSatisfy(Self.isCancelled), "operator \(index)")
      }
    }
  }

  @Test func `cancelling one branch cancels the others, since they have one head`() throws {
    try withDeadline {
      let source = TaskCompletionSource<Int>()
      let branches = (0..<10).map { i in source.task.map { $0 + i }.always {} }
      branches[3].cancel()
      #expect(branches.map { End($0.awaitResult()) } == Array(repeating: .cancelled, count: 10))
    }
  }

  @Test func `what is made of a cancelled task is cancelled, and of a completed one is not`() throws {
    try withDeadline {
      let source = TaskCompletionSource<Int>()
      source.task.cancel()
      #expect(Self.operators.map { End($0(source.task).awaitResult()) } == Self.operators.map { _ in .cancelled })
      let done = TaskCompletionSource<Int>()
      done.set(1)
      let end = done.task.map { $0 + 1 }
      #expect(End(end.awaitResult()) == .value(2))
      done.task.cancel()
      end.cancel()
      #expect(End(end.awaitResult()) == .value(2))
      #expect(!end.isCancelled && !done.task.isCancelled)
    }
  }

  @Test func `cancelling a chain whose head is done ends what still runs of it`() throws {
    try withDeadline {
      let (held, cancellations, calls) = (Held<Int>(), Counter(), Counter())
      let head = ThrowableTask { 1 }.start()
      let middle = head.flatMap { _ in
        ThrowableTask<Int> { (completion: @escaping Held<Int>.Complete) in
          Task.onCancel { cancellations.increment() }
          held.hold(completion)
        }
      }
      let end = middle.map { $0 + calls.increment() }
      #expect(held.hasBegun())
      end.cancel()
      #expect([middle, end].map { End($0.awaitResult()) } == [.cancelled, .cancelled])
      #expect(End(head.awaitResult()) == .value(1))
      #expect(cancellations.value == 1 && calls.value == 0)
      held.drop()
    }
  }

  @Test func `a closure that runs when the chain is cancelled sees it, and nothing follows`() throws {
    try withDeadline {
      let (begun, goOn, seen) = (Gate(), Gate(), Gate())
      let calls = Counter()
      let chain = ThrowableTask { 1 }.start().map { value in
        begun.open()
        goOn.pass()
        if Task.isCancelled { seen.open() }
        return value
      }
      let end = chain.map { $0 + calls.increment() }
      #expect(begun.pass())
      end.cancel()
      #expect(End(end.awaitResult()) == .cancelled)
      #expect(End(chain.awaitResult()) == .cancelled)
      goOn.open()
      #expect(seen.pass())
      #expect(calls.value == 0)
    }
  }

  @Test func `a cancelled task is cancelled, whatever its run makes of that meanwhile`() throws {
    try withDeadline {
      let begun = Gate()
      let task = ThrowableTask<Int> {
        // Long enough for the body to end while the handlers are still being called.
        Task.onCancel { Thread.sleep(forTimeInterval: 0.2) }
        begun.open()
        // Until it is cancelled.
        while !Task.isCancelled { Thread.sleep(forTimeInterval: 0.001) }
        return 5
      }.start()
      #expect(begun.pass())
      task.cancel()
      #expect(Self.isCancelled(task), "the state was \(task.state)")
    }
  }

  @Test func `always, mapResult and flatMapResult run when their task is cancelled, once`() throws {
    try withDeadline {
      let source = TaskCompletionSource<Int>()
      let (always, mapped, chained) = (Gate(), Gate(), Gate())
      let calls = Counter()
      let tasks = [
        source.task.always {
          calls.increment()
          always.open()
        },
        source.task.mapResult { result in
          calls.increment()
          if End(result) == .cancelled { mapped.open() }
          return 1
        },
        source.task.flatMapResult { result in
          calls.increment()
          if End(result) == .cancelled { chained.open() }
          return ThrowableTask { 1 }
        },
      ]
      for task in tasks { task.cancel() }
      #expect(always.pass() && mapped.pass() && chained.pass())
      #expect(tasks[0].isCancelled && calls.value == 3)
    }
  }

  @Test func `awaits that end early leave the chain alone`() throws {
    try withDeadline {
      let source = TaskCompletionSource<Int>()
      let chain = source.task.map { $0 + 1 }
      #expect(End(chain.awaitResult(timeout: .milliseconds(5))) == .timedOut)
      #expect(End(chain.timeout(.milliseconds(5)).awaitResult()) == .timedOut)
      #expect(End(ThrowableTask { try chain.await() }.timeout(.milliseconds(5)).awaitResult()) == .timedOut)
      let waiting = ThrowableTask { try chain.await() }
      let ended = Aside { End(waiting.awaitResult()) }
      waiting.cancel()
      #expect(ended.result() == .cancelled)
      #expect(!chain.isCompleted && !source.task.isCompleted)
      source.set(1)
      #expect(End(chain.awaitResult()) == .value(2))
    }
  }
}
