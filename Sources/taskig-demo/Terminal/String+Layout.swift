extension String {
  /// How many columns of a terminal the text takes.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The text, filled up with spaces on the right.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - columns))
  }

  /// The text, filled up with spaces on the left.
  func aligned(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - columns)) + self
  }

  /// The text, its end left out if it is too long.
  func clipped(to width: Int) -> String {
    columns <= width ? self : String(beginning(within: Swift.max(0, width - 2))) + ".."
  }

  /// The text in lines, broken at white space, and inside of words only where one word alone is too long.
  func wrapped(to width: Int) -> [String] {
    var lines = [""]
    for word in split(whereSeparator: \.isWhitespace) {
      var rest = String(word)
      let last = lines[lines.count - 1]
      if !last.isEmpty {
        if last.columns + 1 + rest.columns <= width {
          lines[lines.count - 1] += " \(rest)"
          continue
        }
        lines.append("")
      }
      while rest.columns > width {
        // One character at least, or there would be no end.
        let start = width > 1 ? rest.beginning(within: width) : rest.prefix(1)
        lines[lines.count - 1] = String(start)
        lines.append("")
        rest = String(rest.dropFirst(start.count))
      }
      lines[lines.count - 1] = rest
    }
    return lines
  }

  /// As much of the beginning as fits into so many columns.
  private func beginning(within width: Int) -> Substring {
    var room = width
    return prefix { character in
      room -= character.columns
      return room >= 0
    }
  }
}

extension Character {
  /// How many columns of a terminal the character takes: two for the wide ones of East Asia and for emoji, none for what has no
  /// width of its own.
  fileprivate var columns: Int {
    unicodeScalars.contains { $0.isWide }
      ? 2 : unicodeScalars.allSatisfy { $0.properties.generalCategory == .format } ? 0 : 1
  }
}

extension Unicode.Scalar {
  /// Neither Swift nor Foundation knows the width, and `wcwidth` only where a locale has been set.
  ///
  /// The blocks are those that are wide throughout, or nearly so, in Unicode's East Asian Width.
  private static let wideBlocks: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6,
    0x20000...0x3FFFD,
  ]

  fileprivate var isWide: Bool {
    value >= 0x1100 && (properties.isEmojiPresentation || Self.wideBlocks.contains { $0.contains(value) })
  }
}
