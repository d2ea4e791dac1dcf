import Foundation
import Taskig

/// What is said of fetches: a bar each on a terminal as long as they are under way, and a line each when they have ended.
final class FetchBoard: Sendable {
  private struct State {
    var rows: [FetchRow] = []
    var done = 0
    var failed = 0
    var bytes: Int64 = 0
  }

  private let total: Int
  private let lines: LiveLines
  private let rowLimit: Int
  private let bar: FetchBar
  private let state = Guarded(State())
  private let begin = ContinuousClock.now
  /// Whether nothing is drawn any more.
  private let isOver = Guarded(false)

  /// - Parameter terminal: What is known of standard error; without a terminal there are no bars.
  init(total: Int, on terminal: Terminal) {
    self.total = total
    lines = LiveLines(on: terminal)
    bar = FetchBar(columns: terminal.columns, hasBlocks: terminal.hasBlocks)
    // One line says how far all of it is, and one is left free for the cursor.
    rowLimit = max(terminal.rows - 2, 0)
  }

  /// Says what is wrong with something.
  static func complain(_ text: String) {
    // Where that cannot be said, the status says that there was something.
    try? Output.standardError.write("\(DemoTool.name): \(text)\n")
  }

  /// Draws again and again while the body runs, and takes it away at the end.
  func whileDrawn<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard lines.areVisible else { return try body() }
    let painter = ThrowableTask {
      while true {
        self.draw()
        try Task.sleep(for: .milliseconds(100))
      }
    }
    painter.async()
    defer {
      painter.cancel()
      conclude()
    }
    return try body()
  }

  /// A row of its own for what begins.
  func begin(_ name: String) -> FetchRow {
    let row = FetchRow(name)
    state.withLock { $0.rows.append(row) }
    return row
  }

  func end(_ row: FetchRow) {
    state.withLock { state in state.rows.removeAll { $0 === row } }
  }

  /// Tells that a file is there, on standard output.
  func tell(_ arrival: FetchArrival, from isMirror: Bool = false) throws {
    state.withLock { ($0.done, $0.bytes) = ($0.done + 1, $0.bytes + arrival.bytes) }
    try lines.write(arrival.text + (isMirror ? " from \(arrival.address)" : "") + "\n", to: .standard)
  }

  /// Tells that one could not be fetched.
  func fail(_ complaint: String) {
    state.withLock { $0.failed += 1 }
    lines.above { Self.complain(complaint) }
  }

  private func draw() {
    let state = state.withLock { $0 }
    var texts = state.rows.prefix(rowLimit).map { bar.line($0.look()) }
    texts.append(summary(state))
    isOver.withLock { if !$0 { lines.show(texts) } }
  }

  private func conclude() {
    isOver.withLock { $0 = true }
    lines.clear()
    Self.note(summary(state.withLock { $0 }))
  }

  private func summary(_ state: State) -> String {
    let hidden = max(state.rows.count - rowLimit, 0)
    let bytes = state.bytes + state.rows.reduce(0) { $0 + $1.current.progress.received }
    let time = begin.duration(to: .now)
    return "\(state.done.text) of \(total.of("file"))" + (state.failed > 0 ? ", \(state.failed.text) failed" : "")
      + (hidden > 0 ? ", \(hidden) more under way" : "") + ", \(bytes.bytesText) in \(time.text), "
      + "\(Int64(Double(bytes) / max(time.seconds, 0.001)).bytesText)/s"
  }

  private static func note(_ text: String) { try? Output.standardError.write("\(text)\n") }
}
