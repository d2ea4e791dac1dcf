import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Trees of tasks that were drawn, not thought of: each kind of task awaits each in each way, wherever it may be.
///
/// A failure says how to run its tree again. What happens in it at the same moment is up to the machine all the same, so
/// it may take some runs to fail again.
struct RandomTrees {
  /// A tree, and what is done with it from outside.
  private struct Root {
    let task: ThrowableTask<Int>
    let isAwaitedTwice: Bool
    private let cancelledAfter: Int?
    private let place: String

    init(_ index: Int, of grower: TreeGrower) {
      // One seed each, so that a tree can be run without those before it.
      let seed = Machine.seed &+ UInt64(index)
      // Not the numbers that the tree itself is drawn with.
      var random = SeededRandom(~seed)
      isAwaitedTwice = Int.random(in: 0..<5, using: &random) == 0
      cancelledAfter = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 0..<2_000, using: &random) : nil
      place = "tree \(index) from TASKIG_SEED=\(Machine.seed), alone with TASKIG_SEED=\(seed) TASKIG_STRESS=0"
      // A task of no queue around it, which may be awaited on the main queue even if the tree's is that.
      task = ThrowableTask { try grower.tree(3, seed: seed).await() }
    }

    /// Cancels it after a moment, if it is one of those.
    func cancelInTime() {
      if let cancelledAfter { TreeGrower.after(cancelledAfter) { task.cancel() } }
    }

    /// Awaits it; what it ends with must be something that a task of it can end with.
    func awaitEnd() {
      switch task.awaitResult() {
      case .failure(is AggregateError<Int>): break
      case let result:
        if case .unexpected(let text) = End(result) { Issue.record("\(place) ended with \(text)") }
      }
    }

    func recordHang() {
      Issue.record("\(place) did not end")
    }
  }

  @Test func `random trees end, and nothing is left of them`() throws {
    try withDeadline(600) {
      let grower = TreeGrower()
      for index in 0..<Machine.stress(400) {
        let root = Root(index, of: grower)
        let waiting = (0..<(root.isAwaitedTwice ? 2 : 1)).map { _ in Aside { root.awaitEnd() } }
        root.cancelInTime()
        // One that hangs keeps its queues; what comes after it says nothing.
        guard waiting.allSatisfy({ $0.result(within: 20) != nil }) else { return root.recordHang() }
      }
      #expect(eventually { grower.tasksAlive == 0 }, "\(grower.tasksAlive) from TASKIG_SEED=\(Machine.seed)")
    }
  }

  @Test func `random trees with tasks of the main queue end too if they are awaited on it`() async {
    await #expect(processExitsWith: .success) {
      let grower = TreeGrower(.main)
      Self.awaitOnMain(0, of: grower, rounds: Machine.stress(800)) {
        // On a thread of its own: what is still on its way may need the main queue.
        Thread.detachNewThread {
          let isEmpty = eventually { grower.tasksAlive == 0 }
          #expect(isEmpty, "\(grower.tasksAlive) from TASKIG_SEED=\(Machine.seed)")
          exit(isEmpty ? 0 : 1)
        }
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  /// Awaits tree `index` and those after it on the main queue, which gets to what else is in line in between.
  private static func awaitOnMain(
    _ index: Int, of grower: TreeGrower, rounds: Int, then done: @escaping @Sendable () -> Void
  ) {
    guard index < rounds else { return done() }
    DispatchQueue.main.async {
      let root = Root(index, of: grower)
      let waiting = DispatchGroup()
      let hasEnded = Gate()
      if root.isAwaitedTwice {
        waiting.enter()
        Thread.detachNewThread {
          root.awaitEnd()
          waiting.leave()
        }
      }
      Thread.detachNewThread {
        guard !hasEnded.pass(within: 20) else { return }
        root.recordHang()
        exit(1)
      }
      root.cancelInTime()
      root.awaitEnd()
      waiting.notify(queue: .main) {
        hasEnded.open()
        awaitOnMain(index + 1, of: grower, rounds: rounds, then: done)
      }
    }
  }
}
