import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Chains of awaits that nothing brought together but the queues that they need, each held by another that waits.
struct CircleTests {
  /// Starts a task on each of `queues`, and has each, once all hold theirs, await a task on the next one's queue; returns what
  /// they end with.
  private static func circle(of queues: [NamedQueue]) -> [String?] {
    let meeting = Meeting(of: queues.count)
    let ended = DispatchGroup()
    let names = Steps<(Int, String?)>()
    for index in queues.indices {
      let next = queues[(index + 1) % queues.count]
      ended.enter()
      Task<String?>(executionQueue: queues[index].queue) {
        guard meeting.join() else { return nil }
        return Task(executionQueue: next.queue) { next.nameHere() }.await()
      }.async { name in
        names.note((index, name))
        ended.leave()
      }
    }
    _ = ended.wait(timeout: .now() + Machine.patience(20))
    return names.all.sorted { $0.0 < $1.0 }.map(\.1)
  }

  @Test func `two that hold each other's queue complete, each on the right one`() throws {
    try withDeadline {
      for round in 0..<20 {
        let queues = ["a \(round)", "b \(round)"].map { NamedQueue($0) }
        #expect(Self.circle(of: queues) == ["b \(round)", "a \(round)"])
      }
    }
  }

  @Test func `so do five in a circle`() throws {
    try withDeadline {
      let queues = (0..<5).map { NamedQueue("\($0)") }
      #expect(Self.circle(of: queues) == ["1", "2", "3", "4", "0"])
    }
  }

  @Test func `queues that Taskig has never seen before are found in a circle too`() throws {
    try withDeadline {
      for size in [2, 3, 6] {
        let queues = (0..<size).map { NamedQueue("\($0)") }
        let meeting = Meeting(of: size)
        let ended = DispatchGroup()
        let names = Steps<String?>()
        for index in queues.indices {
          ended.enter()
          Thread.detachNewThread { @Sendable in
            queues[index].queue.sync {
              _ = meeting.join()
              let next = queues[(index + 1) % size]
              names.note(Task(executionQueue: next.queue) { next.nameHere() }.await())
            }
            ended.leave()
          }
        }
        #expect(ended.wait(timeout: .now() + Machine.patience(20)) == .success, "\(size) queues")
        #expect(Set(names.all) == Set((0..<size).map { "\($0)" }))
      }
    }
  }

  @Test func `two that begin while the others are in line complete too`() throws {
    try withDeadline {
      let (first, second) = (NamedQueue("first"), NamedQueue("second"))
      let (firstHolds, secondWaits) = (Gate(), Gate())
      let ended = DispatchGroup()
      ended.enter()
      Task<String?>(executionQueue: first.queue) {
        firstHolds.open()
        secondWaits.pass()
        return Task(executionQueue: second.queue) { second.nameHere() }.await()
      }.async { _ in ended.leave() }
      firstHolds.pass()
      ended.enter()
      Task<String?>(executionQueue: second.queue) {
        let inLine = Task(executionQueue: first.queue) { first.nameHere() }
        // It stands in line before the other parks: what it needs from the other's thread is offered when that does.
        DispatchQueue.global().async { secondWaits.open() }
        return inLine.await()
      }.async { _ in ended.leave() }
      #expect(ended.wait(timeout: .now() + Machine.patience(20)) == .success)
    }
  }

  @Test func `two values that need each other's queue while they are made are made once each`() throws {
    try withDeadline {
      /// A value that is made when it is first asked for, on a queue of its own, as a lazy global is under its lock.
      final class Lazy: @unchecked Sendable {
        // because `value` is touched on `queue` only.
        let queue: DispatchQueue
        let made = Counter()
        var value: Int?

        init(_ name: String) { queue = DispatchQueue(label: name) }

        func get(_ make: @escaping @Sendable () -> Int) -> Int {
          Task(executionQueue: queue) { [self] in
            if value == nil {
              let new = make()
              if value == nil {
                made.increment()
                value = new
              }
            }
            return value ?? 0
          }.await()
        }
      }
      let (left, right) = (Lazy("left"), Lazy("right"))
      let meeting = Meeting(of: 2)
      let results = [
        Task {
          left.get {
            _ = meeting.join()
            return right.get { 2 } + 10
          }
        },
        Task {
          right.get {
            _ = meeting.join()
            return left.get { 1 } + 20
          }
        },
      ].awaitAll()
      #expect(left.made.value == 1 && right.made.value == 1)
      #expect(results.count == 2)
    }
  }

  @Test func `the main thread and a queue's holder that needs it complete`() async {
    await #expect(processExitsWith: .success) {
      DispatchQueue.main.async {
        let queue = DispatchQueue(label: "queue")
        let holds = Gate()
        Task<Bool>(executionQueue: queue) {
          holds.open()
          // Until the main thread stands in line. If it comes later, it is served in the ordinary way.
          Thread.sleep(forTimeInterval: 0.02)
          return Task(executionQueue: .main) { isOnMain() }.await()
        }.async { onMain in
          exit(onMain ? 0 : 1)
        }
        holds.pass()
        if Task(executionQueue: queue, action: { 5 }).await() != 5 { exit(1) }
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `the main thread does no work for others that are merely on the same concurrent queue`() async {
    await #expect(processExitsWith: .success) {
      DispatchQueue.main.async {
        let queue = DispatchQueue(label: "queue", attributes: .concurrent)
        let others = Counter()
        for _ in 0..<4 {
          Task<Void>(executionQueue: queue) {
            Task(executionQueue: .main) { _ = others.increment() }.await()
          }.async()
        }
        let seen = Task<Int>(executionQueue: queue) {
          // Long enough for the others to ask for the main thread, and for the pulse to look some dozen times.
          Thread.sleep(forTimeInterval: 0.1)
          return others.value
        }.await()
        exit(seen == 0 && others.value == 0 ? 0 : 1)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }
}
