import Foundation
import Testing

@testable import Taskig

/// The pauses between attempts.
struct BackoffTests {
  private static func pauses(_ backoff: Backoff, _ count: Int = 8, seed: UInt64 = Machine.seed) -> [Duration] {
    var generator = SeededRandom(seed)
    return (1...count).map { backoff.pause(afterFailures: $0, using: &generator) }
  }

  @Test func `none is no time, and a constant one always the same`() {
    #expect(Self.pauses(.none, 3) == [.zero, .zero, .zero])
    #expect(Self.pauses(.constant(.seconds(2)), 3) == [.seconds(2), .seconds(2), .seconds(2)])
    #expect(Self.pauses(.constant(.seconds(Int64.max)), 2) == [.seconds(Int64.max), .seconds(Int64.max)])
    #expect(Backoff.constant(.seconds(2)).pause(afterFailures: .max) == .seconds(2))
  }

  @Test func `a negative one means none`() {
    for backoff in [
      Backoff.constant(.seconds(-2)), .exponential(from: .seconds(-2)),
      .exponential(from: .seconds(2), upTo: .seconds(-1)),
      .exponential(from: .seconds(-2), jitter: 1),
    ] {
      #expect(Self.pauses(backoff, 3) == [.zero, .zero, .zero])
    }
  }

  @Test func `each pause is the factor times as long, up to the longest`() {
    let doubling = Backoff.exponential(from: .milliseconds(100), upTo: .seconds(1), jitter: 0)
    #expect(Self.pauses(doubling, 6) == [100, 200, 400, 800, 1_000, 1_000].map { Duration.milliseconds($0) })
    let tenfold = Backoff.exponential(from: .milliseconds(1), factor: 10, jitter: 0)
    #expect(Self.pauses(tenfold, 7) == [1, 10, 100, 1_000, 10_000, 60_000, 60_000].map { Duration.milliseconds($0) })
    let steady = Backoff.exponential(from: .milliseconds(5), factor: 1, jitter: 0)
    #expect(Self.pauses(steady, 2) == [.milliseconds(5), .milliseconds(5)])
    let capped = Backoff.exponential(from: .seconds(5), upTo: .seconds(2), jitter: 0)
    #expect(Self.pauses(capped, 2) == [.seconds(2), .seconds(2)])
  }

  @Test func `jitter leaves out a random part, and no more than that`() {
    for jitter in [0.25, 0.5, 1] {
      let full = Self.pauses(.exponential(from: .milliseconds(100), upTo: .seconds(1), jitter: 0))
      let least = full.map { $0 * (1 - jitter) }
      var seen: Set<Duration> = []
      for seed in 0..<200 {
        let pauses = Self.pauses(
          .exponential(from: .milliseconds(100), upTo: .seconds(1), jitter: jitter), seed: Machine.seed &+ UInt64(seed))
        for (pause, (least, full)) in zip(pauses, zip(least, full)) {
          #expect(pause >= least - .nanoseconds(1) && pause <= full && pause >= .zero)
        }
        seen.formUnion(pauses)
      }
      #expect(seen.count > 1_000)
    }
  }

  @Test func `it comes from the generator alone`() {
    let backoff = Backoff.exponential(from: .milliseconds(100))
    #expect(Self.pauses(backoff, seed: 7) == Self.pauses(backoff, seed: 7))
    #expect(Self.pauses(backoff, seed: 7) != Self.pauses(backoff, seed: 8))
    let pause = backoff.pause(afterFailures: 1)
    #expect(pause >= .milliseconds(49) && pause <= .milliseconds(100))
  }

  @Test func `huge counts, factors and times do no harm`() {
    let longest = Duration.seconds(Int64.max)
    for factor in [1, 1.5, 2, 1e300, .greatestFiniteMagnitude] {
      for first in [Duration.zero, .nanoseconds(1), .seconds(1), longest] {
        for jitter in [0, 0.5, 1] {
          let backoff = Backoff.exponential(from: first, factor: factor, upTo: longest, jitter: jitter)
          for failures in [1, 2, 3, 50, 1_000, 1_000_000, Int.max] {
            let pause = backoff.pause(afterFailures: failures)
            #expect(pause >= .zero && pause <= longest)
          }
        }
      }
    }
  }

  @Test func `a count of none or less is as one`() {
    let backoff = Backoff.exponential(from: .seconds(1), jitter: 0)
    for failures in [0, -1, -1_000] { #expect(backoff.pause(afterFailures: failures) == .seconds(1)) }
  }

  private func expect(_ result: ExitTest.Result?, says texts: String..., location: SourceLocation = #_sourceLocation) {
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for text in texts + ["BackoffTests.swift:"] {
      #expect(said.contains(text), "standard error was: \(said)", sourceLocation: location)
    }
  }

  @Test func `a factor of less than one traps`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      _ = Backoff.exponential(from: .seconds(1), factor: 0.5)
    }
    expect(result, says: "the factor 0.5", "would not grow", "a factor of 1 or more")
    await #expect(processExitsWith: .signal(SIGILL)) { _ = Backoff.exponential(from: .seconds(1), factor: -2) }
    await #expect(processExitsWith: .signal(SIGILL)) { _ = Backoff.exponential(from: .seconds(1), factor: .nan) }
    await #expect(processExitsWith: .signal(SIGILL)) { _ = Backoff.exponential(from: .seconds(1), factor: .infinity) }
  }

  @Test func `a jitter that is not between 0 and 1 traps`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      _ = Backoff.exponential(from: .seconds(1), jitter: 1.5)
    }
    expect(result, says: "the jitter 1.5", "a jitter from 0 to 1")
    await #expect(processExitsWith: .signal(SIGILL)) { _ = Backoff.exponential(from: .seconds(1), jitter: -0.1) }
    await #expect(processExitsWith: .signal(SIGILL)) { _ = Backoff.exponential(from: .seconds(1), jitter: .nan) }
  }
}
