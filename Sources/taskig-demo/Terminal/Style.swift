/// Puts text in colour, or leaves it as it is where colours are off.
struct Style: Sendable {
  /// How a piece of text is meant.
  enum Tone {
    case bold
    case faint
    case good
    case bad
    /// One of the chapters' colours.
    case chapter(Int)
  }

  let isOn: Bool

  func callAsFunction(_ text: String, _ tone: Tone) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code(of: tone))m\(text)\u{1B}[0m" : text
  }

  private func code(of tone: Tone) -> String {
    switch tone {
    case .bold: "1"
    case .faint: "2"
    case .good: "32"
    case .bad: "1;31"
    // Six colours that can be read on a light and on a dark background; neighbours differ.
    case .chapter(let number): ["34", "32", "35", "33", "36", "31"][(number + 5) % 6]
    }
  }
}
