import Foundation

extension Int64 {
  /// The number of bytes as people read it, the same in every locale.
  var bytesText: String {
    if self < 1_000 { return "\(self) B" }
    var (amount, unit) = (Double(self), 0)
    // From where it would be rounded up to a thousand of them, the next unit is the right one.
    while amount >= 999.5, unit < 4 {
      amount /= 1_000
      unit += 1
    }
    return String(format: amount < 9.95 ? "%.1f" : "%.0f", amount) + " " + ["B", "kB", "MB", "GB", "TB"][unit]
  }
}
