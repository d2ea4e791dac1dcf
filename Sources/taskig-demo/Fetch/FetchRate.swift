import Foundation

/// How fast something comes: a mean in which what was a while ago counts little.
struct FetchRate: Sendable {
  /// Seconds after which something counts about a third.
  private static let memory = 3.0

  private var bytes: Int64 = 0
  private var moment: ContinuousClock.Instant
  /// Bytes in a second; `nil` at first.
  private(set) var current: Double?

  init(since moment: ContinuousClock.Instant) { self.moment = moment }

  /// Notes how many bytes there are at a moment.
  mutating func note(_ total: Int64, at now: ContinuousClock.Instant) {
    let time = moment.duration(to: now).seconds
    // In a very short time nearly nothing or very much comes, by chance.
    guard time > 0.05 else { return }
    let latest = Double(total - bytes) / time
    let weight = 1 - exp(-time / Self.memory)
    current = current.map { $0 + weight * (latest - $0) } ?? latest
    (bytes, moment) = (total, now)
  }
}
