import Foundation

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// The duration as people read it, with two or three digits that count.
  var text: String {
    switch seconds {
    case ..<0.000_1: String(format: "%.3f ms", seconds * 1e3)
    case ..<0.01: String(format: "%.2f ms", seconds * 1e3)
    case ..<0.1: String(format: "%.1f ms", seconds * 1e3)
    case ..<1: String(format: "%.0f ms", seconds * 1e3)
    default: String(format: "%.2f s", seconds)
    }
  }
}

extension Int {
  /// The number with a comma between thousands, the same in every locale.
  var text: String {
    let digits = String(magnitude)
    let groups = stride(from: digits.count, to: 0, by: -3).map { end in
      digits.dropLast(digits.count - end).suffix(3)
    }
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }

  /// The number and what it counts, in the plural if it is not one.
  func of(_ noun: String) -> String {
    "\(text) \(noun)\(self == 1 ? "" : "s")"
  }
}

extension Double {
  /// The number with one digit after the point.
  var text: String { String(format: "%.1f", self) }
}
