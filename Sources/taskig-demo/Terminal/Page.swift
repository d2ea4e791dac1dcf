import Foundation

/// A stream to print on, line by line, so that whoever reads along sees each line when it is written.
struct Page: Sendable {
  let terminal: Terminal
  let style: Style
  private let output: Output

  init(_ stream: FileHandle) {
    output = Output(stream)
    terminal = Terminal(of: stream)
    style = Style(isOn: terminal.hasColours)
  }

  /// How wide running text is set; long lines are hard to read however wide the terminal is.
  var textWidth: Int { min(terminal.columns, 80) }

  /// Writes the line, or ends the program if that is impossible: lost output must not look like success.
  func write(_ line: String = "") {
    do {
      try output.write("\(line)\n")
    } catch {
      (error as? OutputError ?? OutputError(error)).endProgram(with: .ioError)
    }
  }
}
