import Dispatch
import Foundation
import Testing

@testable import Taskig

extension SettingsTests {
  /// Each pair of things that can happen to a run, in each order: what those get who wait for it.
  struct EventProduct {
    enum Event: String, CaseIterable, Sendable {
      case complete, fail, cancel, timeOut, drop, completeTwice

      /// What a waiter gets if this comes first.
      var end: End {
        switch self {
        case .complete: .value(1)
        case .fail: .failed
        case .cancel: .cancelled
        case .timeOut: .timedOut
        case .drop: .lost
        case .completeTwice: .value(2)
        }
      }

      /// How often it calls each completion.
      var calls: Int {
        switch self {
        case .complete, .fail: 1
        case .completeTwice: 2
        case .cancel, .timeOut, .drop: 0
        }
      }

      func happen(to task: ThrowableTask<Int>, _ held: Held<Int>) {
        switch self {
        case .complete: held.complete(.success(1))
        case .fail: held.complete(.failure(Failed()))
        case .cancel: task.cancel()
        case .timeOut: break
        case .drop: held.drop()
        case .completeTwice:
          held.complete(.success(2), .success(3))
        }
      }
    }

    private enum Order: CaseIterable {
      case oneAfterTheOther
      case together
    }

    @Test(arguments: Event.allCases, Event.allCases)
    func `two events give each waiter one of their ends`(_ first: Event, _ second: Event) throws {
      try withDeadline(120) {
        for order in Order.allCases {
          for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own")] {
            for waiters in [1, 3] {
              for _ in 0..<Machine.stress(order == .together ? 8 : 1) {
                run(first, second, order, on: queue, waiters: waiters)
              }
            }
          }
        }
      }
    }

    private func run(_ first: Event, _ second: Event, _ order: Order, on queue: DispatchQueue, waiters: Int) {
      let text: Comment = "\(first) and \(second), \(order), on \(queue.label), \(waiters) waiters"
      SettingsTests.collectingReports { reports in
        let held = Held<Int>()
        let task = held.task(on: queue).named("product")
        let timesOut = first == .timeOut || (second == .timeOut && order == .together)
        // Some milliseconds are about what the threads need to come to the start line.
        let timeout = Duration.milliseconds(timesOut ? 3 : 3_600_000)
        let heard = Steps<End>()
        task.async { heard.note(End($0)) }
        #expect(held.hasBegun(), text)
        let waiting = (0..<waiters).map { _ in Aside { End(task.awaitResult(timeout: timeout)) } }
        // A run whose time is up before its turn comes never begins.
        #expect(timesOut || held.hasBegun(waiters + 1), text)

        switch order {
        case .oneAfterTheOther:
          first.happen(to: task, held)
          for each in waiting { #expect(each.result() != nil, text) }
          // So has the handler of `async`: an action that still runs holds on to what was dropped.
          #expect(first == .timeOut || eventually { !heard.all.isEmpty }, text)
          second.happen(to: task, held)
        case .together:
          let start = Meeting(of: 2)
          let other = Aside {
            _ = start.join()
            second.happen(to: task, held)
          }
          _ = start.join()
          first.happen(to: task, held)
          #expect(other.result() != nil, text)
        }

        let events = order == .together ? [first, second] : [first]
        let allowed = Set(events.map(\.end))
        for each in waiting {
          let end = each.result()
          #expect(end.map(allowed.contains) == true, "\(text): \(String(describing: end))")
        }
        // No time is ever up for the handler of `async`: it hears of the other event.
        let last = [first, second].filter { $0 != .timeOut }
        if last.isEmpty {
          held.complete(.success(1))
          #expect(eventually { !heard.all.isEmpty }, text)
        } else {
          let ends = Set((order == .together || first == .timeOut ? last : [first]).map(\.end))
          #expect(eventually { !heard.all.isEmpty } && heard.all.allSatisfy(ends.contains), "\(text): \(heard.all)")
        }
        #expect(heard.all.count == 1, text)
        held.drop()
        let misuses = reports.texts(naming: "product").count
        #expect(first.calls + second.calls > 1 ? misuses <= waiters + 1 : misuses == 0, "\(text): \(misuses) reports")
        if first == .completeTwice, order == .oneAfterTheOther { #expect(misuses == waiters + 1, text) }
      }
    }
  }
}
