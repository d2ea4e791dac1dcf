import Foundation

/// Lines at the bottom of a terminal that say how far things are, and are drawn over as they change.
///
/// They go to standard error, so that the output can go elsewhere meanwhile. What is written above them goes through ``above(_:)``.
/// Where standard error is no terminal, nothing is drawn.
final class LiveLines: Sendable {
  private static let stream = FileHandle.standardError
  private let output = Output(stream)
  /// How wide to draw where the window does not say; `nil` if nothing is drawn.
  private let columns: Int?
  private let drawn = Guarded(0)

  /// - Parameters:
  ///   - terminal: What is known of standard error; without a terminal there are no lines.
  ///   - isOn: Whether there are to be any.
  init(on terminal: Terminal, isOn: Bool = true) {
    columns = terminal.canMoveCursor && isOn ? terminal.columns : nil
  }

  /// Whether there are lines to be seen.
  var areVisible: Bool { columns != nil }

  /// Draws these lines in place of those that are there, unless the terminal is held up: that must not hold up the work.
  func show(_ lines: [String]) {
    guard let columns else { return }
    drawn.withLock { drawn in
      guard output.takesMore else { return }
      // Looked up each time, and less one column: to write in the last one moves some terminals' cursors and not others'.
      let width = (Terminal.width(of: Self.stream) ?? columns) - 1
      let text = lines.map { "\($0.clipped(to: width))\n" }.joined()
      try? output.write(erasing(drawn) + text)
      drawn = lines.count
    }
  }

  /// Takes the lines away.
  func clear() { show([]) }

  /// Writes something above the lines, which are then drawn anew by the next ``show(_:)``.
  func above<Result>(_ body: () throws -> Result) rethrows -> Result {
    try drawn.withLock { drawn in
      if columns != nil { try? output.write(erasing(drawn)) }
      drawn = 0
      return try body()
    }
  }

  /// Writes the text, above the lines if it goes to a terminal too.
  func write(_ text: String, to output: Output) throws {
    // Elsewhere it may have to wait for a reader, and the lines need not.
    if output.isTerminal { try above { try output.write(text) } } else { try output.write(text) }
  }

  /// Moves up over lines and takes them away, from the left on: what is typed meanwhile, such as Ctrl-C, has moved the cursor.
  private func erasing(_ count: Int) -> String { count == 0 ? "" : "\r\u{1B}[\(count)A\u{1B}[J" }
}
