import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Results that nobody takes, and what letting go of them does.
struct AsCompletedReleaseTests {
  /// Does something when it is let go of.
  private final class Parting: Sendable {
    private let act: @Sendable () -> Void

    init(_ act: @escaping @Sendable () -> Void = {}) {
      self.act = act
    }

    deinit { act() }
  }

  @Test func `a result that is let go of after a failure can complete another task`() throws {
    try withDeadline { () throws in
      let (failing, parting, waiting) = (Held<Parting>(), Held<Parting>(), Held<Parting>())
      let (busy, gate, gone) = (Gate(), AsyncGate(), Gate())
      let loop = AsyncAside { () -> End in
        let first = ThrowableTask { Parting() }
        do {
          for try await _ in [first, failing.task(), parting.task(), waiting.task()].asCompleted() {
            busy.open()
            await gate.pass()
          }
        } catch { return End(.failure(error)) }
        return .value(0)
      }
      #expect(busy.pass() && failing.hasBegun() && parting.hasBegun() && waiting.hasBegun())
      failing.release(.failure(Failed()))
      parting.release(
        .success(
          Parting {
            waiting.release(.success(Parting()))
            gone.open()
          }))
      gate.open()
      #expect(loop.result() == .failed)
      #expect(gone.pass())
    }
  }

  @Test func `a result that comes after a break is let go of`() throws {
    try withDeadline { () throws in
      let (late, gone) = (Held<Parting>(), Gate())
      let loop = AsyncAside {
        let first = ThrowableTask { () -> Parting in
          _ = late.hasBegun()
          return Parting()
        }
        do { for try await _ in [first, late.task()].asCompleted() { break } } catch { return false }
        return true
      }
      #expect(loop.result() == true)
      late.release(.success(Parting { gone.open() }))
      #expect(gone.pass())
    }
  }

  @Test func `a loop that is broken off lets go of a plain task's result when that is done`() throws {
    try withDeadline { () throws in
      let (population, hold, begun) = (Population(), Gate(), Gate())
      let loop = AsyncAside {
        let tasks = [
          Task { () -> Population.Member in
            begun.pass()
            return population.member()
          },
          Task { () -> Population.Member in
            begun.open()
            hold.pass()
            return population.member()
          },
        ]
        for await _ in tasks.asCompleted() { break }
        return true
      }
      #expect(loop.result() == true)
      hold.open()
      #expect(population.hasDied(), "\(population.count)")
    }
  }
}
