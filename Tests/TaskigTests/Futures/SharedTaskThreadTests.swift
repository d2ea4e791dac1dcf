import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Where those go on who wait for a shared task: never on the thread that brings the outcome.
struct SharedTaskThreadTests {
  /// Ways to bring the outcome.
  enum Bringing: CaseIterable {
    case set, fail, setCancelled, trySet, cancel, drop, complete

    /// A shared task, and what brings its outcome on the thread that calls it.
    func make() -> (SharedTask<Int>, @Sendable () -> Void) {
      let source = Box<TaskCompletionSource<Int>?>(TaskCompletionSource<Int>())
      let task = source.value?.task ?? ThrowableTask { -1 }.start()
      switch self {
      case .set: return (task, { source.value?.set(1) })
      case .fail: return (task, { source.value?.set(error: Failed()) })
      case .setCancelled: return (task, { source.value?.setCancelled() })
      case .trySet: return (task, { source.value?.trySet(1) })
      case .cancel: return (task, { [held = source.value] in withExtendedLifetime(held) { task.cancel() } })
      case .drop: return (task, { source.value = nil })
      case .complete:
        let held = Held<Int>()
        let shared = held.task().start()
        _ = held.hasBegun()
        return (shared, { held.complete(.success(1)) })
      }
    }
  }

  /// Has code of all kinds wait for `shared`; `code` is what it does, and the result is how often that will be called.
  private func attach(to shared: SharedTask<Int>, _ code: @escaping @Sendable () -> Void) -> Int {
    shared.async { _ in code() }
    shared.action { _ in code() }
    _ = shared.mapResult { _ in code() }
    _ = shared.flatMapResult { _ in
      code()
      return ThrowableTask {}
    }
    _ = shared.always { code() }
    shared.mapResult { _ in }.async { _ in code() }
    _ = shared.timeout(.seconds(3_600)).always { code() }
    let all: SharedTask<[TaskResult<Int>]> = [shared, shared].whenAllResults()
    _ = all.always { code() }
    _ = shared.zip(shared).always { code() }
    ThrowableTask {}.flatMap { shared }.always { code() }.async()
    ThrowableTask { try shared.await() }.always { code() }.async()
    let cold = ThrowableTask {}.flatMap { shared }
    cold.async { _ in code() }
    return 12
  }

  @Test(arguments: Bringing.allCases)
  func `whoever brings the outcome may hold a lock that their code needs`(_ bringing: Bringing) throws {
    try withDeadline {
      let (shared, bring) = bringing.make()
      let lock = NSLock()
      let (calls, wrong) = (Counter(), Counter())
      let bringer = Box<ObjectIdentifier?>(nil)
      let expected = attach(to: shared) {
        lock.withLock {
          if Machine.thread == bringer.value { wrong.increment() }
        }
        calls.increment()
      }
      let waiting = Aside {
        _ = shared.awaitResult()
        lock.withLock {}
      }
      // The thread stays alive until all have been called, so that no other is taken for it.
      let goHome = Gate()
      let bringing = Aside {
        lock.withLock {
          bringer.value = Machine.thread
          bring()
        }
        goHome.pass()
      }
      #expect(eventually { calls.value == expected }, "\(calls.value) of \(expected)")
      #expect(waiting.result() != nil && wrong.value == 0)
      goHome.open()
      #expect(bringing.result() != nil)
    }
  }

  @Test(arguments: Bringing.allCases)
  func `whoever brings it may be on a serial queue that their code needs`(_ bringing: Bringing) throws {
    try withDeadline {
      let (shared, bring) = bringing.make()
      let queue = DispatchQueue(label: "serial")
      let calls = Counter()
      let expected = attach(to: shared) {
        dispatchPrecondition(condition: .notOnQueue(queue))
        queue.sync {}
        Task(executionQueue: queue) { _ = calls.increment() }.await()
      }
      Task(executionQueue: queue) {
        bring()
        #expect(shared.isCompleted)
      }.await()
      #expect(eventually { calls.value == expected }, "\(calls.value) of \(expected)")
    }
  }

  @Test func `receivers hear once, and may block, await and throw away what they wait for`() throws {
    try withDeadline {
      for outcome in [TaskResult<Int>.success(1), .failure(Failed())] {
        let source = TaskCompletionSource<Int>()
        let heard = Steps<End>()
        let hold = Gate()
        for _ in 0..<10 {
          source.task.async { result in
            hold.pass()
            _ = source.task.awaitResult()
            _ = Task { 1 }.await()
            heard.note(End(result))
          }
        }
        source.set(outcome)
        // Those that block hold nobody else up.
        #expect(End(source.task.awaitResult()) == End(outcome))
        hold.open()
        #expect(eventually { heard.all.count == 10 } && Set(heard.all) == [End(outcome)])
        let late = Gate()
        source.task.async { result in
          heard.note(End(result))
          late.open()
        }
        #expect(late.pass())
        #expect(heard.all.count == 11)
      }
    }
  }

  @Test func `ten thousand who subscribe all hear`() throws {
    try withDeadline {
      let source = TaskCompletionSource<Int>()
      let calls = Counter()
      for index in 0..<10_000 {
        source.task.async { _ in calls.increment() }
        if index == 5_000 { source.set(1) }
      }
      #expect(eventually { calls.value == 10_000 }, "\(calls.value)")
    }
  }

  @Test func `a delayed receiver of one that is done hears of it`() throws {
    try withDeadline {
      let source = TaskCompletionSource<Int>()
      let heard = Steps<End>()
      source.task.async(delayBy: 0.001) { heard.note(End($0)) }
      source.set(1)
      source.task.async(delayBy: 0.001) { heard.note(End($0)) }
      #expect(eventually { heard.all == [.value(1), .value(1)] })
    }
  }
}
