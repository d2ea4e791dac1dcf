import Foundation
import Taskig

/// How far the jobs are; from any thread.
final class EachProgress: Sendable {
  private struct Counts {
    var running = 0
    var done = 0
    var failed = 0
    var retried = 0
    var isOver = false
  }

  private let total: Int?
  private let live: LiveLines
  private let printer: JobPrinter
  private let beginning = ContinuousClock.now
  private let counts = Guarded(Counts())

  init(of total: Int?, on live: LiveLines, through printer: JobPrinter) {
    (self.total, self.live, self.printer) = (total, live, printer)
  }

  var failed: Int { counts.current.failed }

  func noteBegin() { counts.withLock { $0.running += 1 } }

  func noteRetry() { counts.withLock { $0.retried += 1 } }

  func noteEnd(isSuccess: Bool) {
    counts.withLock { counts in
      counts.running -= 1
      counts.done += 1
      if !isSuccess { counts.failed += 1 }
    }
  }

  /// Draws the line again and again, until the task is cancelled; where there is none to be seen, it does nothing.
  func drawing() -> ThrowableTask<Void> {
    ThrowableTask { [self] in
      guard live.areVisible else { return }
      while true {
        draw()
        try Task.sleep(for: .milliseconds(100))
      }
    }
  }

  /// Takes the line away for good.
  func end() {
    counts.withLock { counts in
      counts.isOver = true
      live.clear()
    }
  }

  /// What has been done, in a line.
  var summary: String {
    let counts = counts.current
    var parts = ["\(counts.done.of("job")) done", "\(counts.failed.text) failed"]
    if counts.running > 0 { parts.append("\(counts.running.text) called off") }
    if counts.retried > 0 { parts.append("\(counts.retried.of("attempt")) repeated") }
    return parts.joined(separator: ", ") + " in \((ContinuousClock.now - beginning).text)"
  }

  private func draw() {
    counts.withLock { counts in
      if !counts.isOver { printer.draw(line(counts)) }
    }
  }

  private func line(_ counts: Counts) -> String {
    let passed = (ContinuousClock.now - beginning).seconds
    let rate = passed > 0 ? Double(counts.done) / passed : 0
    var parts = [
      total.map { "\(counts.done.text)/\($0.text) done" } ?? "\(counts.done.text) done so far",
      "\(counts.failed.text) failed", "\(counts.running.text) running", "\(rate.text)/s",
    ]
    if let total, counts.done > 0 {
      parts.append("about \(roughly(Double(total - counts.done) / rate)) left")
    }
    return parts.joined(separator: ", ")
  }

  private func roughly(_ seconds: Double) -> String {
    let seconds = Int(min(seconds.rounded(.up), 1e9))
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }
}
