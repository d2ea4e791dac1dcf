import Dispatch
import Foundation

/// Waiting for a moment without a thread.
///
/// The timers have a queue of their own: on the queue of the work they time, a timer is late as soon as that queue is busy.
enum Delay {
  private static let queue = DispatchQueue(label: "taskig.timer", qos: .userInteractive)

  /// Seconds beyond which a moment is never: a century.
  private static let century: TimeInterval = 100 * 365.25 * 86400

  /// Runs `body`, which must not block, `seconds` from now: at once if that is zero or less; `never` if it is infinite.
  static func run(
    after seconds: TimeInterval, at site: CallSite, _ body: @escaping @Sendable () -> Void,
    orNever never: () -> Void
  ) {
    guard !seconds.isNaN else {
      trap(
        "The delay is not a number (NaN).",
        consequence: "No moment can be told from it, so the task would start at once or never.",
        remedy: "Pass a number of seconds; .infinity means never.",
        at: site)
    }
    guard seconds > 0 else { return body() }
    guard seconds < century else { return never() }
    queue.asyncAfter(deadline: .now() + seconds, execute: body)
  }
}
