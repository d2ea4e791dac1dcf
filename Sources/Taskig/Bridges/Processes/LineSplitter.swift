/// Makes lines of bytes that come in pieces.
struct LineSplitter {
  /// The beginning of a line whose end has not come.
  private var rest: [UInt8] = []

  /// The lines that end in `bytes`.
  ///
  /// - Complexity: O(*n*) in the number of bytes, however long a line is.
  mutating func add(_ bytes: UnsafeRawBufferPointer) -> [String] {
    var lines: [String] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if rest.isEmpty {
        lines.append(Self.line(of: bytes[start..<end]))
      } else {
        rest += bytes[start..<end]
        lines.append(Self.line(of: rest[...]))
        rest = []
      }
      start = end + 1
    }
    rest += bytes[start...]
    return lines
  }

  /// The last line, if there is one that no line break ends.
  mutating func takeLast() -> [String] {
    defer { rest = [] }
    return rest.isEmpty ? [] : [String(decoding: rest, as: UTF8.self)]
  }

  private static func line(of bytes: some BidirectionalCollection<UInt8>) -> String {
    let isCRLF = bytes.last == UInt8(ascii: "\r")
    return String(decoding: Array(bytes.dropLast(isCRLF ? 1 : 0)), as: UTF8.self)
  }
}
