import Foundation

/// What is known about where the output goes.
struct Terminal: Sendable {
  let columns: Int
  let rows: Int
  let hasColours: Bool
  /// Whether block characters can be shown; otherwise ASCII has to do.
  let hasBlocks: Bool
  /// Whether what is there can be drawn over.
  let canMoveCursor: Bool

  /// Looks at the stream and at the environment.
  init(of stream: FileHandle, environment: [String: String] = ProcessInfo.processInfo.environment) {
    let isTerminal = isatty(stream.fileDescriptor) == 1
    let setting = environment["COLUMNS"].flatMap { Int($0) }
    let window = isTerminal ? Self.windowSize(stream.fileDescriptor) : nil
    columns = min(max(setting ?? window?.columns ?? 80, 60), 200)
    rows = window?.rows ?? 24

    let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    canMoveCursor = isTerminal && environment["TERM"] != "dumb"
    hasColours = canMoveCursor && !isPlain

    // The first that is set and not empty decides. Where none is, as in many containers, the terminal can do
    // it all the same.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let charset = locale?.lowercased().replacing("-", with: "") ?? "utf8"
    hasBlocks = charset.contains("utf8")
  }

  /// How wide the stream's window is now, which its user can change at any time; `nil` if it is none.
  static func width(of stream: FileHandle) -> Int? { windowSize(stream.fileDescriptor)?.columns }

  private static func windowSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
