import Foundation
import Taskig

/// Who may print: one job after the other, as each ends or in the order of their numbers; from any thread.
final class Turns: Sendable {
  /// How many jobs there may be from the one whose turn it is to the last that has begun, so that what waits does not grow without end.
  private static let most = 10_000

  private struct State {
    var turn = 0
    /// In the order of numbers: the jobs that have begun and not been printed.
    var waiting: [Int: (output: JobOutput, hasEnded: Bool)] = [:]
    /// Comes when it is the next one's turn.
    var next: TaskCompletionSource<Void>?
  }

  private let isOrdered: Bool
  private let streams: Bool
  private let state = Guarded(State())

  /// - Parameters:
  ///   - isOrdered: Whether the turn is the numbers'.
  ///   - streams: Whether a job whose turn it is prints at once what it writes.
  init(isOrdered: Bool, streams: Bool) {
    (self.isOrdered, self.streams) = (isOrdered, streams)
  }

  /// Says that a job begins, and blocks while it is too far ahead.
  ///
  /// Each that begins has to end, also if this throws.
  func begin(_ output: JobOutput) throws {
    guard isOrdered else { return }
    try state.withLock { state in
      state.waiting[output.number] = (output, false)
      if streams, output.number == state.turn { try output.open() }
    }
    while let next = waitingFor(output.number) { try next.task.await() }
  }

  /// Says that a job has ended, and prints what can be printed now.
  func end(_ output: JobOutput) throws {
    output.seal()
    guard isOrdered else { return try state.withLock { _ in try output.open() } }
    let passed = try state.withLock { state in
      state.waiting[output.number] = (output, true)
      while let (output, hasEnded) = state.waiting[state.turn] {
        if hasEnded || streams { try output.open() }
        guard hasEnded else { break }
        state.waiting[state.turn] = nil
        state.turn += 1
      }
      return state.next.take()
    }
    passed?.set()
  }

  private func waitingFor(_ number: Int) -> TaskCompletionSource<Void>? {
    state.withLock { state in
      guard number - state.turn >= Self.most else { return nil }
      let next = state.next ?? TaskCompletionSource()
      state.next = next
      return next
    }
  }
}
