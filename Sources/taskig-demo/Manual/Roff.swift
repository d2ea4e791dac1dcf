/// A text for `man`, line by line, with the macros of man(7).
struct Roff {
  private(set) var text = ""

  /// A request or macro on a line of its own, with its arguments.
  mutating func macro(_ name: String, _ arguments: String...) {
    let words = arguments.map { $0.contains(" ") || $0.isEmpty ? " \"\(Self.escaped($0))\"" : " " + Self.escaped($0) }
    text += ".\(name)\(words.joined())\n"
  }

  /// Running text; `man` sets it anew, so where its lines break here does not matter.
  mutating func paragraph(_ words: String) {
    for line in words.wrapped(to: 70) { self.line(Self.escaped(line)) }
  }

  /// A line of pieces that are escaped already.
  mutating func line(_ pieces: String...) {
    let line = pieces.joined()
    // A point at the beginning would make it a macro; a quote, which would too, has been escaped.
    text += (line.hasPrefix(".") ? "\\&" : "") + line + "\n"
  }

  /// A command to type, as it stands.
  mutating func example(_ command: String) {
    macro("RS", "4")
    macro("EX")
    line(Self.escaped(command))
    macro("EE")
    macro("RE")
  }

  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fP" }
  static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fP" }

  /// The text with all that roff would read or change.
  ///
  /// What it changes should stay what it is when it is copied to a shell: it would make hyphens, curved quotes and raised signs.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\\": text += "\\(rs"
      case "-": text += "\\-"
      case "\"": text += "\\(dq"
      case "'": text += "\\(aq"
      case "`": text += "\\(ga"
      case "^": text += "\\(ha"
      case "~": text += "\\(ti"
      case _ where scalar.isASCII: text.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
  }
}
