import Foundation

/// A fetch as a line: its name, how much of it is there, how fast it comes, and how long it will take.
struct FetchBar {
  let columns: Int
  let hasBlocks: Bool

  func line(_ row: FetchRow.State, at now: ContinuousClock.Instant = .now) -> String {
    let name = row.name.clipped(to: columns / 3).padded(to: columns / 3)
    if let next = row.next {
      return "\(name)  try \(row.tries) " + (next > now ? "in \(now.duration(to: next).text)" : "has begun")
    }
    let figures = [
      (row.progress.fraction.map { "\(Int($0 * 100))%" } ?? "").aligned(to: 4),
      row.progress.received.bytesText.aligned(to: 7),
      (row.rate.current.map { "\(Int64($0).bytesText)/s" } ?? "").aligned(to: 9),
      timeLeft(row).aligned(to: 6),
    ].joined(separator: " ")
    // One column is left free at the end, and two around the bar.
    return "\(name) \(bar(row.progress.fraction, columns - name.count - figures.count - 3)) \(figures)"
  }

  private func bar(_ fraction: Double?, _ width: Int) -> String {
    let width = max(width, 0)
    let full = Int((fraction ?? 0) * Double(width))
    return String(repeating: hasBlocks ? "█" : "#", count: full)
      + String(repeating: hasBlocks ? "░" : ".", count: width - full)
  }

  private func timeLeft(_ row: FetchRow.State) -> String {
    guard let expected = row.progress.expected, let rate = row.rate.current, rate > 0 else { return "" }
    let seconds = Double(expected - row.progress.received) / rate
    // What takes days takes too long to be counted in seconds.
    guard seconds < 360_000 else { return "" }
    let whole = Int(seconds.rounded(.up))
    return whole < 3_600
      ? String(format: "%d:%02d", whole / 60, whole % 60) : String(format: "%dh%02d", whole / 3_600, whole / 60 % 60)
  }
}
