import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Each pair of things that can happen to a shared task, in each order: what those get who wait for it.
struct SharedEventProduct {
  enum Event: String, CaseIterable, Sendable {
    case complete, fail, cancel, timeOut, drop, completeTwice, awaitTwice, derive

    /// What the task ends with if this is the first that ends it; `nil` if it does not.
    var end: End? {
      switch self {
      case .complete: .value(1)
      case .fail: .failed
      case .cancel: .cancelled
      case .drop: .lost
      case .completeTwice: .value(2)
      case .timeOut, .awaitTwice, .derive: nil
      }
    }
  }

  private enum Order: CaseIterable {
    /// The first has come to its end, and so have those who wait, before the second begins.
    case oneAfterTheOther
    case together
    /// The second comes in the middle of the first, from what that calls.
    case nested
  }

  /// What the events happen to.
  private final class Stage: Sendable {
    let task: SharedTask<Int>
    private let source: Locked<TaskCompletionSource<Int>?>
    /// What those saw who came with an event, in place of the two waiters.
    let seen = Steps<End>()
    private let inside = Locked<(@Sendable () -> Void)?>(nil)

    init() {
      let source = TaskCompletionSource<Int>()
      task = source.task
      self.source = Locked(source)
      source.onCancel { [weak self] in self?.comeInside() }
    }

    /// Has `act` done in the middle of the event that comes next, or after it, where that calls nobody.
    func put(inside act: @escaping @Sendable () -> Void) {
      inside.withLock { $0 = act }
    }

    func comeInside() {
      inside.withLock { inside in
        defer { inside = nil }
        return inside
      }?()
    }

    private var held: TaskCompletionSource<Int>? { source.withLock { $0 } }

    func happen(_ event: Event) {
      switch event {
      case .complete: held?.trySet(1)
      case .fail: held?.trySet(error: Failed())
      case .cancel: task.cancel()
      case .drop:
        let dropped = source.withLock { source in
          defer { source = nil }
          return source
        }
        withExtendedLifetime(dropped) {}
      case .completeTwice:
        if let held, held.trySet(2) { #expect(!held.trySet(3)) }
      case .timeOut: seen.note(End(task.awaitResult(timeout: .microseconds(200))))
      case .awaitTwice:
        // Where nothing else ends it, these may not wait for ever.
        let ends = (0..<2).map { _ in End(task.awaitResult(timeout: .milliseconds(1))) }
        seen.note(contentsOf: ends)
        #expect(ends[0] == .timedOut || ends[0] == ends[1])
      case .derive:
        let derived = task.always { self.comeInside() }.map { $0 }
        derived.async { self.seen.note(End($0)) }
      }
      comeInside()
    }

    /// Ends what nothing else has ended.
    func finish() {
      held?.trySet(.success(4))
    }
  }

  @Test(arguments: Event.allCases, Event.allCases)
  func `two events give each waiter the one end of the first that has one`(_ first: Event, _ second: Event) throws {
    try withDeadline(120) {
      for order in Order.allCases {
        for waiters in [1, 3] {
          for _ in 0..<Machine.stress(order == .together ? 25 : 5) { run(first, second, order, waiters: waiters) }
        }
      }
    }
  }

  private func run(_ first: Event, _ second: Event, _ order: Order, waiters: Int) {
    let text: Comment = "\(first) and \(second), \(order), \(waiters) waiters"
    let stage = Stage()
    let heard = Steps<End>()
    stage.task.async { heard.note(End($0)) }
    let waiting = (0..<waiters).map { _ in Aside { End(stage.task.awaitResult()) } }

    switch order {
    case .oneAfterTheOther:
      stage.happen(first)
      if first.end != nil {
        for each in waiting { #expect(each.result() == first.end, text) }
      }
      stage.happen(second)
    case .together:
      let start = Meeting(of: 2)
      let other = Aside {
        _ = start.join()
        stage.happen(second)
      }
      _ = start.join()
      stage.happen(first)
      #expect(other.result() != nil, text)
    case .nested:
      stage.put { stage.happen(second) }
      stage.happen(first)
    }
    stage.finish()

    let ends = [first, second].compactMap(\.end)
    let allowed: Set<End> =
      switch order {
      case _ where ends.isEmpty: [.value(4)]
      case .oneAfterTheOther: [ends[0]]
      // In the middle of being cancelled it is not yet done: whoever is first there ends it.
      case .together, .nested: Set(ends)
      }
    let end = End(stage.task.state)
    #expect(end.map(allowed.contains) == true, "\(text): \(String(describing: end))")
    for each in waiting { #expect(each.result() == end, text) }
    #expect(stage.task.isCompleted && stage.task.isCancelled == (end == .cancelled), text)
    #expect(End(stage.task.awaitResult()) == end, text)
    // One for each that derived, besides those that have seen it at once.
    let derived = [first, second].count { $0 == .derive }
    let awaits = [first, second].count { $0 == .timeOut } + 2 * [first, second].count { $0 == .awaitTwice }
    #expect(eventually { !heard.all.isEmpty && stage.seen.all.count == derived + awaits }, "\(text): \(stage.seen.all)")
    #expect(heard.all == [end], text)
    #expect(stage.seen.all.allSatisfy { $0 == end || $0 == .timedOut }, "\(text): \(stage.seen.all)")
  }
}
