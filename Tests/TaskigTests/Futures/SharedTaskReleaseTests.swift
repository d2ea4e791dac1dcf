import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What shared tasks and those who wait for them hold, and when they let go of it.
struct SharedTaskReleaseTests {
  private static let short = Duration.milliseconds(2)

  /// Makes shared tasks of all kinds upon `shared`, each of which holds a member of `population`.
  private func derive(from shared: SharedTask<Int>, _ population: Population) -> [Faint<SharedTask<Int>>] {
    let member = { population.member() }
    let derived: [SharedTask<Int>] = [
      shared.map { [member = member()] value in withExtendedLifetime(member) { value } },
      shared.flatMap { [member = member()] value in withExtendedLifetime(member) { ThrowableTask { value } } },
      shared.mapResult { [member = member()] result in try withExtendedLifetime(member) { try result.get() } },
      shared.always { [member = member()] in withExtendedLifetime(member) {} },
      shared.recover { [member = member()] error in try withExtendedLifetime(member) { throw error } },
      shared.timeout(.seconds(3_600)).always { [member = member()] in withExtendedLifetime(member) {} },
      [shared, shared].whenAny().always { [member = member()] in withExtendedLifetime(member) {} },
    ]
    shared.async { [member = member()] _ in withExtendedLifetime(member) {} }
    ThrowableTask {}.flatMap { shared }.always { [member = member()] in withExtendedLifetime(member) {} }.async()
    return derived.map(Faint.init)
  }

  @Test func `everything is let go of when it is done, however it ends`() throws {
    try withDeadline {
      let ends: [@Sendable (TaskCompletionSource<Int>) -> Void] = [
        { $0.set(1) }, { $0.set(error: Failed()) }, { $0.setCancelled() }, { $0.task.cancel() }, { _ in },
      ]
      for end in ends {
        let population = Population()
        let faint: Faint<SharedTask<Int>>
        let derived: [Faint<SharedTask<Int>>]
        do {
          let source = TaskCompletionSource<Int>()
          source.onCancel { [member = population.member()] in withExtendedLifetime(member) {} }
          faint = Faint(source.task)
          derived = derive(from: source.task, population)
          #expect(population.count == 10)
          end(source)
        }
        #expect(population.hasDied(), "\(population.count)")
        #expect(eventually { faint.object == nil && derived.allSatisfy { $0.object == nil } })
      }
    }
  }

  @Test func `what has been done holds nothing but its outcome`() throws {
    try withDeadline { () throws in
      let population = Population()
      let source = TaskCompletionSource<Int>()
      source.onCancel { [member = population.member()] in withExtendedLifetime(member) {} }
      let derived = derive(from: source.task, population).compactMap(\.object)
      source.set(1)
      #expect(derived.map { End($0.awaitResult()) } == Array(repeating: .value(1), count: derived.count))
      #expect(population.hasDied(), "\(population.count)")

      let value = ThrowableTask { population.member() }.start()
      _ = try value.await()
      #expect(population.hasDied(leaving: 1))
    }
  }

  @Test func `the action is let go of with its completion, and its handlers when it is cancelled`() throws {
    try withDeadline {
      for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own")] {
        let (population, handlers) = (Population(), Population())
        let held = Held<Int>()
        let shared = (0..<2).map { _ in
          ThrowableTask<Int>(executionQueue: queue) {
            [member = population.member()] (completion: @escaping Held<Int>.Complete) in
            Task.onCancel { [member = handlers.member()] in withExtendedLifetime(member) {} }
            withExtendedLifetime(member) { held.hold(completion) }
          }.start()
        }
        #expect(held.hasBegun(2) && handlers.count == 2)
        shared[0].cancel()
        #expect(handlers.hasDied(leaving: 1))
        held.drop()
        #expect(population.hasDied() && handlers.hasDied())
        #expect(End(shared[0].state) == .cancelled && eventually { End(shared[1].state) == .lost })
      }
    }
  }

  @Test func `awaits that have ended leave nothing behind in one that goes on`() throws {
    try withDeadline {
      let population = Population()
      let source = TaskCompletionSource<Int>()
      let hub = source.task.map { $0 }
      for shared in [source.task, hub] {
        for _ in 0..<Machine.stress(20) {
          // Each way in which an await can end before the task.
          let awaiting = ThrowableTask { [member = population.member()] in
            try withExtendedLifetime(member) { try shared.await() }
          }
          #expect(End(awaiting.awaitResult(timeout: Self.short)) == .timedOut)
          let chained = ThrowableTask {}.flatMap { shared }
            .always { [member = population.member()] in withExtendedLifetime(member) {} }
          let heard = Gate()
          chained.async { [member = population.member()] _ in withExtendedLifetime(member) { heard.open() } }
          chained.cancel()
          #expect(heard.pass())
          #expect(End(chained.timeout(.seconds(3_600)).awaitResult()) == .cancelled)
          let late = shared.timeout(Self.short)
            .always { [member = population.member()] in withExtendedLifetime(member) {} }
          #expect(End(late.awaitResult()) == .timedOut)
          let first = [shared, ThrowableTask { 3 }.start()].whenAny()
            .always { [member = population.member()] in withExtendedLifetime(member) {} }
          #expect(End(first.awaitResult()) == .value(3))
          #expect(throws: TaskigError.timedOut) { try [shared, shared].awaitAll(timeout: Self.short) }
        }
      }
      #expect(population.hasDied(), "\(population.count)")
      #expect(End(source.task.state) == nil && End(hub.state) == nil)
      source.set(1)
    }
  }

  @Test func `derived tasks that have ended early are let go of`() throws {
    try withDeadline {
      let source = TaskCompletionSource<Int>()
      let hub = source.task.map { $0 }
      for shared in [source.task, hub] {
        let faint: [Faint<SharedTask<Int>>]
        do {
          let ended = [
            shared.timeout(Self.short), [shared, ThrowableTask { 1 }.start()].whenAny(),
            [shared, ThrowableTask { throw Failed() }.start()].whenAll().map { $0[0] },
            ThrowableTask {}.flatMap { shared }.timeout(Self.short).start(),
          ]
          faint = ended.map(Faint.init)
          #expect(ended.map { End($0.awaitResult()) } == [.timedOut, .value(1), .failed, .timedOut])
        }
        for (index, each) in faint.enumerated() { #expect(eventually { each.object == nil }, "\(index)") }
      }
      source.set(1)
    }
  }

  @Test func `cancelled ones are let go of while others still hold what brings their outcome`() throws {
    try withDeadline {
      let source = TaskCompletionSource<Int>()
      let held = Held<Int>()
      let population = Population()
      let faint: [Faint<SharedTask<Int>>]
      do {
        let started = held.task().start()
        #expect(held.hasBegun())
        let shared = [started, started.map { $0 }, source.task.map { $0 }.delay(for: .seconds(3_600))]
        for each in shared {
          each.async { [member = population.member()] _ in withExtendedLifetime(member) {} }
          each.cancel()
        }
        faint = shared.map(Faint.init)
      }
      #expect(population.hasDied(), "\(population.count)")
      for (index, each) in faint.enumerated() { #expect(eventually { each.object == nil }, "\(index)") }
      held.drop()
    }
  }
}
