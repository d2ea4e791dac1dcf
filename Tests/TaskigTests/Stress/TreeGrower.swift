import Dispatch
import Foundation

@testable import Taskig

/// Grows trees of tasks at random, the same tree for the same seed.
///
/// What a task does is drawn when it is made; those that it awaits are made when it does.
struct TreeGrower: Sendable {
  private typealias Complete = Held<Int>.Complete

  private enum Action {
    case returning(@Sendable () throws -> Int)
    case completing(@Sendable (@escaping Complete) -> Void)
  }

  /// Is alive as long as the closure of a task is.
  private final class Token: Sendable {
    private let alive: Counter

    init(_ alive: Counter) {
      self.alive = alive
      alive.increment()
    }

    deinit { alive.decrement() }
  }

  private let queues: [DispatchQueue]
  private let alive = Counter()

  /// A grower of tasks on three serial queues, a concurrent one, a global one, none at all, and `more`.
  init(_ more: DispatchQueue...) {
    let serial = (0..<3).map { DispatchQueue(label: "serial \($0)") }
    queues = serial + [DispatchQueue(label: "concurrent", attributes: .concurrent), .global(), .taskDefault] + more
  }

  /// How many of its tasks there still are.
  var tasksAlive: Int { alive.value }

  /// A tree of so many levels below its root.
  func tree(_ depth: Int, seed: UInt64) -> ThrowableTask<Int> {
    var random = SeededRandom(seed)
    let queue = queue(&random)
    let token = Token(alive)
    switch depth == 0 ? leaf(&random) : node(depth, &random) {
    case .returning(let action):
      return ThrowableTask(executionQueue: queue) { try withExtendedLifetime(token) { try action() } }
    case .completing(let action):
      return ThrowableTask(executionQueue: queue) { completion in withExtendedLifetime(token) { action(completion) } }
    }
  }

  private func queue(_ random: inout SeededRandom) -> DispatchQueue {
    queues[Int.random(in: queues.indices, using: &random)]
  }

  private func leaf(_ random: inout SeededRandom) -> Action {
    let moment = Int.random(in: 0..<3_000, using: &random)
    let seed = random.next()
    // Most of them succeed: where much fails, little else happens.
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3:
      return .returning { 1 }
    case 4...5:
      return .returning {
        // About as long as timeouts and cancellations take to come.
        try Task.sleep(for: .microseconds(moment))
        return 1
      }
    case 6:
      return .returning { throw Failed() }
    case 7:
      return .completing { completion in Self.after(moment) { completion(.success(1)) } }
    case 8:
      return .completing { completion in completion(.success(1)) }
    case 9:
      return .completing { _ in }
    case 10:
      return .completing { completion in tree(0, seed: seed).async { completion($0) } }
    default:
      return .returning {
        // Holds its queue and its thread, which nobody can wake or borrow meanwhile.
        Thread.sleep(forTimeInterval: Double(moment) / 3_000_000)
        return 1
      }
    }
  }

  private func node(_ depth: Int, _ random: inout SeededRandom) -> Action {
    let moment = Int.random(in: 0..<5_000, using: &random)
    let limit = Int.random(in: 1...6, using: &random)
    let other = queue(&random)
    let seed = random.next()
    let child = { @Sendable (index: UInt64) in tree(depth - 1, seed: seed &+ index) }
    let children = { @Sendable () in (0..<6).map(child) }
    switch Int.random(in: 0..<13, using: &random) {
    case 0...2:
      return .returning { try child(0).await() + child(1).await() }
    case 3:
      return .returning { try child(0).await(timeout: .microseconds(moment)) }
    case 4:
      return .returning { try children().awaitAll(concurrency: limit).count }
    case 5:
      return .returning { children().awaitAllResults(timeout: .microseconds(moment), concurrency: limit).count }
    case 6:
      return .returning { try children().awaitFirst() }
    case 7:
      return .returning { try children().awaitFirstSuccess(concurrency: limit) }
    case 8:
      return .completing { completion in child(0).async { completion($0) } }
    case 9:
      return .completing { completion in
        child(0).async { first in
          guard case .success = first else { return completion(first) }
          child(1).async { completion($0) }
        }
      }
    case 10:
      return .returning {
        let task = child(0)
        Self.after(moment) { task.cancel() }
        return try task.await()
      }
    case 11:
      return .returning { Task(executionQueue: other) { (try? child(0).await()) ?? 0 }.await() }
    default:
      return .returning {
        let task = Task<Int> { completion in child(0).async { completion((try? $0.get()) ?? 0) } }
        return task.await(timeout: .microseconds(moment)) ?? 0
      }
    }
  }

  /// Runs `body` on another thread, so many microseconds from now.
  static func after(_ moment: Int, _ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(moment), execute: body)
  }
}
