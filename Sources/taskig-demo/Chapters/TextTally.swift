import Foundation

/// The lines, words and bytes of a text.
struct TextTally: Equatable, Sendable {
  /// Why a file is not counted.
  enum Unsuitable: Error {
    case binary
  }

  var lines = 0
  var words = 0
  var bytes = 0
  var files = 0

  /// Counts nothing yet.
  init() {}

  /// Counts the file at that place.
  ///
  /// - Throws: `Unsuitable.binary` if there is a zero byte near its beginning, or why it cannot be read.
  init(contentsOf file: URL) throws {
    let data = try Data(contentsOf: file)
    if data.prefix(8_192).contains(0) { throw Unsuitable.binary }
    (files, bytes) = (1, data.count)
    data.withUnsafeBytes { count($0) }
  }

  /// A last line counts whether or not it ends with a newline; words are what white space separates.
  private mutating func count(_ text: UnsafeRawBufferPointer) {
    var isInWord = false
    for byte in text {
      let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
      if byte == 0x0A { lines += 1 }
      if isInWord && isSpace { words += 1 }
      isInWord = !isSpace
    }
    if isInWord { words += 1 }
    if let last = text.last, last != 0x0A { lines += 1 }
  }

  static func += (left: inout TextTally, right: TextTally) {
    left.lines += right.lines
    left.words += right.words
    left.bytes += right.bytes
    left.files += right.files
  }
}
