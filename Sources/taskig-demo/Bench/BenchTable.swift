import Foundation

/// The times as a table for people, written row by row as they come.
struct BenchTable {
  private let page: Page
  private let timeWidth = 9
  private let ratioWidth = 8

  init(on page: Page) {
    self.page = page
  }

  func writeHead() {
    let heads = Contest.Party.allCases.map { party in
      party.rawValue.aligned(to: party == .taskig ? timeWidth : timeWidth + ratioWidth + 1)
    }
    page.write(page.style("".padded(to: width) + heads.joined(), .bold))
  }

  func write(_ row: BenchRow, of contest: Contest) {
    let times =
      time(row.taskig) + time(row.dispatch) + ratio(row.dispatchRatio) + time(row.swiftConcurrency)
      + ratio(row.swiftConcurrencyRatio)
    let titles = contest.title.wrapped(to: width - 1)
    page.write()
    page.write(titles[0].padded(to: width) + times)
    for line in titles.dropFirst() { page.write(line) }
    let ways = contest.contestants.map(\.way).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    for line in ways.joined(separator: " | ").wrapped(to: page.textWidth - 2) {
      page.write("  " + page.style(line, .faint))
    }
  }

  func writeFoot(rounds: Int) {
    page.write()
    let text =
      "Medians of \(rounds) rounds, in which all take turns. Beside the others' times: how many times Taskig's "
      + "time that is."
    for line in text.wrapped(to: page.textWidth) { page.write(line) }
  }

  /// How wide the first column is.
  private var width: Int { page.textWidth - 3 * timeWidth - 2 * ratioWidth - 2 }

  private func time(_ nanoseconds: Double?) -> String {
    (nanoseconds.map(text) ?? "-").aligned(to: timeWidth)
  }

  private func ratio(_ ratio: Double?) -> String {
    guard let ratio else { return "" }
    return String(format: ratio < 0.095 ? "%.2fx" : ratio < 9.95 ? "%.1fx" : "%.0fx", ratio).aligned(to: ratioWidth + 1)
  }

  /// A time with three digits that count.
  private func text(_ nanoseconds: Double) -> String {
    let micro = page.terminal.hasBlocks ? "µs" : "us"
    let (value, unit) =
      switch nanoseconds {
      case ..<1e3: (nanoseconds, "ns")
      case ..<1e6: (nanoseconds / 1e3, micro)
      case ..<1e9: (nanoseconds / 1e6, "ms")
      default: (nanoseconds / 1e9, "s")
      }
    return String(format: value < 9.995 ? "%.2f " : value < 99.95 ? "%.1f " : "%.0f ", value) + unit
  }
}
