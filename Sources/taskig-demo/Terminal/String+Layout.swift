extension String {
  /// The text, filled up with spaces on the right.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  /// The text, filled up with spaces on the left.
  func aligned(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }

  /// The text, its end left out if it is too long.
  func clipped(to width: Int) -> String {
    count <= width ? self : prefix(Swift.max(0, width - 2)) + ".."
  }

  /// The text in lines, broken at white space, and inside of words only where one word alone is too long.
  func wrapped(to width: Int) -> [String] {
    var lines = [""]
    for word in split(whereSeparator: \.isWhitespace) {
      var rest = word
      if lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] = String(rest.prefix(width))
      } else if lines[lines.count - 1].count + 1 + rest.count <= width {
        lines[lines.count - 1] += " \(rest)"
        continue
      } else {
        lines.append(String(rest.prefix(width)))
      }
      rest = rest.dropFirst(width)
      while !rest.isEmpty {
        lines.append(String(rest.prefix(width)))
        rest = rest.dropFirst(width)
      }
    }
    return lines
  }
}
