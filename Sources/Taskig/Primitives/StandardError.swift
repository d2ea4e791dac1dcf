import Foundation

/// Where a program tells people what is wrong.
enum StandardError {
  /// Writes a line, if it can be written.
  ///
  /// It may be closed, as in a daemon, or its disk be full. Foundation's `write(_:)` stops the program for that.
  static func say(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
  }
}
