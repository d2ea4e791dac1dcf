import Dispatch
import Foundation
import Testing

@testable import Taskig

/// What may happen to a run of async code, two things at a time, wherever it was begun.
struct AsyncCodeStress {
  enum Event: CaseIterable, Sendable {
    case complete, fail, cancel, timeOut, drop

    /// What who waits gets if this comes first.
    var end: End {
      switch self {
      case .complete: .value(1)
      case .fail: .failed
      case .cancel: .cancelled
      case .timeOut: .timedOut
      case .drop: .lost
      }
    }

    func happen(to task: ThrowableTask<Int>, _ held: Held<Int>) {
      switch self {
      case .complete: held.release(.success(1))
      case .fail: held.release(.failure(Failed()))
      case .cancel: task.cancel()
      case .timeOut: break
      case .drop: held.drop()
      }
    }
  }

  /// How the async code comes by its value.
  private enum Code: CaseIterable {
    case suspending, blocking, child

    func task(_ held: Held<Int>, keeping member: Population.Member) -> ThrowableTask<Int> {
      switch self {
      case .suspending:
        ThrowableTask.fromAsync { [member] in
          defer { withExtendedLifetime(member) {} }
          return try await held.task().value
        }
      case .blocking:
        ThrowableTask.fromAsync { [member] in
          defer { withExtendedLifetime(member) {} }
          await _Concurrency.Task.yield()
          return try AsyncCodeStress.block(held)
        }
      case .child:
        ThrowableTask.fromAsync { [member] in
          defer { withExtendedLifetime(member) {} }
          async let value = held.task().value
          return try await value
        }
      }
    }
  }

  /// One run.
  private struct Run {
    let entry: EntryPoint
    let code: Code
    let first: Event
    let second: Event
    let isTogether: Bool

    var text: Comment {
      "\(first) and \(second), \(isTogether ? "together" : "one after the other"), \(entry), \(code)"
    }
  }

  private static func block(_ held: Held<Int>) throws -> Int { try held.task().await() }

  @Test(arguments: EntryPoint.allCases)
  func `two events give who waits the end of one of them`(_ entry: EntryPoint) throws {
    try withDeadline(120) {
      let population = Population()
      let events = Event.allCases.filter { entry.hasTimeout || $0 != .timeOut }
      for first in events {
        for second in events {
          for code in Code.allCases {
            check(Run(entry: entry, code: code, first: first, second: second, isTogether: false), population)
            for _ in 0..<Machine.stress(4) {
              check(Run(entry: entry, code: code, first: first, second: second, isTogether: true), population)
            }
          }
        }
      }
      #expect(population.hasDied(), "\(entry): \(population.count)")
    }
  }

  private func check(_ run: Run, _ population: Population) {
    let held = Held<Int>()
    let task = run.code.task(held, keeping: population.member())
    let heard = Steps<End>()
    let timesOut = run.first == .timeOut || (run.isTogether && run.second == .timeOut)
    // Some milliseconds are about what the threads need to come to the start line.
    run.entry.begin(task, timeout: .milliseconds(timesOut ? 3 : 3_600_000)) { heard.note($0) }
    // A run whose time is up before its turn comes never begins.
    #expect(timesOut || held.hasBegun(), run.text)
    if run.isTogether {
      let start = Meeting(of: 2)
      let other = Aside {
        _ = start.join()
        run.second.happen(to: task, held)
      }
      _ = start.join()
      run.first.happen(to: task, held)
      #expect(other.result() != nil, run.text)
    } else {
      run.first.happen(to: task, held)
      #expect(eventually { !heard.all.isEmpty }, run.text)
      run.second.happen(to: task, held)
    }
    let allowed = run.isTogether ? [run.first.end, run.second.end] : [run.first.end]
    #expect(eventually { !heard.all.isEmpty } && allowed.contains(heard.all[0]), "\(run.text): \(heard.all)")
    #expect(heard.all.count == 1, run.text)
    // Where it has been called off, the code may begin to wait only now.
    task.cancel()
    held.drop()
  }

  @Test func `a Swift task that is cancelled as its task is done gets one of the two`() throws {
    try withDeadline { () throws in
      var ends: [End: Int] = [:]
      let rounds = Machine.stress(1_000)
      let waiting = Locked<AsyncAside<End>?>(nil)
      let held = Held<Int>()
      let racers = Racers({ held.complete(.success(1)) }, { waiting.withLock { $0 }?.cancel() })
      for round in 1...rounds {
        let next = AsyncAside { () -> End in
          guard round % 2 == 0 else { return End(await held.task().result) }
          for await (_, result) in [held.task()].resultsAsCompleted() { return End(result) }
          return .unexpected("no result")
        }
        waiting.withLock { $0 = next }
        #expect(held.hasBegun(round))
        racers.go()
        #expect(racers.haveEnded())
        ends[next.result() ?? .unexpected("no end"), default: 0] += 1
        held.drop()
      }
      racers.end()
      #expect(Set(ends.keys).isSubset(of: [.value(1), .cancelled]), "\(ends)")
      #expect(ends.values.reduce(0, +) == rounds)
    }
  }
}
