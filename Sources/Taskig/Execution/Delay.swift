import Dispatch
import Foundation

/// Waiting for a moment without a thread.
///
/// The timers have a queue of their own: on the queue of the work they time, a timer is late as soon as that queue is busy.
final class Delay: @unchecked Sendable {
  // because a dispatch source may be used from any thread.
  private static let queue = DispatchQueue(label: "taskig.timer", qos: .userInteractive)

  /// Seconds beyond which a moment is never: a century.
  private static let century: TimeInterval = 100 * 365.25 * 86400

  /// A source and not `asyncAfter`, which keeps what it runs alive until its time has come, also when nobody wants it any more.
  private let source: any DispatchSourceTimer

  private init(_ seconds: TimeInterval, _ body: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(queue: Self.queue)
    source.setEventHandler { [source] in
      source.cancel()
      body()
    }
    source.schedule(deadline: .now() + seconds, leeway: .nanoseconds(0))
    source.activate()
  }

  /// Forgets the moment and lets go of what was to run then.
  func cancel() {
    source.cancel()
  }

  /// Runs `body`, which must not block, `seconds` from now, on a queue of its own: at once and on the caller if that is zero or
  /// less; never if it is infinite, or might as well be.
  @discardableResult
  static func run(
    after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void, orNever never: () -> Void = {}
  ) -> Delay? {
    guard seconds > 0 else {
      body()
      return nil
    }
    guard seconds < century else {
      never()
      return nil
    }
    return Delay(seconds, body)
  }

  /// Stops the program if `seconds` is none.
  static func requireNumber(_ seconds: TimeInterval, at site: CallSite) {
    guard seconds.isNaN else { return }
    trap(
      "The delay is not a number (NaN).",
      consequence: "No moment can be told from it, so the task would start at once or never.",
      remedy: "Pass a number of seconds; .infinity means never.",
      at: site)
  }
}

extension Duration {
  /// This many seconds, as precisely as a `Double` can tell.
  var seconds: TimeInterval {
    let (seconds, attoseconds) = components
    return TimeInterval(seconds) + TimeInterval(attoseconds) * 1e-18
  }
}
