/// How long to wait between the attempts of a task that is tried again.
///
/// ```swift
/// let page = try fetch(url).retry(attempts: 5, backoff: .exponential(from: .milliseconds(200))).await()
/// ```
public struct Backoff: Sendable {
  private let first: Duration
  private let factor: Double
  private let longest: Duration
  private let jitter: Double

  /// No time at all: the next attempt begins at once.
  public static let none = constant(.zero)

  /// The same time before each new attempt; a negative one means none.
  public static func constant(_ pause: Duration) -> Backoff {
    Backoff(first: pause, factor: 1, longest: pause, jitter: 0)
  }

  /// `first` before the second attempt, and each time `factor` times as long as the time before, but never longer than `longest`.
  ///
  /// Of each pause, a random part of up to `jitter` is left out, so that many clients that failed together do not come back
  /// together: with 1 a pause is anything from nothing to its full length (“full jitter”), with 0 its full length.
  ///
  /// `factor` is 1 or more, `jitter` from 0 to 1; anything else traps.
  public static func exponential(
    from first: Duration, factor: Double = 2, upTo longest: Duration = .seconds(60), jitter: Double = 0.5,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Backoff {
    // Written so that NaN fails too.
    guard factor >= 1, factor.isFinite, (0...1).contains(jitter) else {
      trap(
        "The backoff has the factor \(factor) and the jitter \(jitter).",
        consequence: "The pauses would not grow, or be negative.",
        remedy: "Pass a factor of 1 or more, and a jitter from 0 to 1.",
        at: CallSite(file, line))
    }
    return Backoff(first: first, factor: factor, longest: longest, jitter: jitter)
  }

  /// The pause before the attempt after `failures` have failed, one or more.
  public func pause(afterFailures failures: Int) -> Duration {
    var generator = SystemRandomNumberGenerator()
    return pause(afterFailures: failures, using: &generator)
  }

  /// The pause before the attempt after `failures` have failed, one or more, with the random part from `generator`.
  ///
  /// - Complexity: O(*n*) in the number of failures.
  public func pause(afterFailures failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    var pause = max(.zero, min(first, longest))
    var left = failures - 1
    while left > 0, factor > 1, pause > .zero, pause < longest {
      // As a fraction of the longest: a `Duration` that is multiplied too often stops the program.
      pause = pause.seconds * factor < longest.seconds ? pause * factor : longest
      left -= 1
    }
    return jitter > 0 ? pause * (1 - Double.random(in: 0...jitter, using: &generator)) : pause
  }
}
