import Foundation

/// A stream to print on, line by line, so that whoever reads along sees each line when it is written.
struct Page: Sendable {
  let terminal: Terminal
  let style: Style
  private let stream: FileHandle

  init(_ stream: FileHandle) {
    self.stream = stream
    terminal = Terminal(of: stream)
    style = Style(isOn: terminal.hasColours)
  }

  /// How wide running text is set; long lines are hard to read however wide the terminal is.
  var textWidth: Int { min(terminal.columns, 80) }

  /// Writes the line, or ends the program if that is impossible: lost output must not look like success.
  func write(_ line: String = "") {
    do {
      try stream.write(contentsOf: Data("\(line)\n".utf8))
    } catch {
      try? FileHandle.standardError.write(
        contentsOf: Data(
          "\(DemoTool.name): The output cannot be written: \(error.localizedDescription)\n".utf8))
      exit(ExitStatus.ioError.rawValue)
    }
  }
}
