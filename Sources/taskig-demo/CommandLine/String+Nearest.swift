extension String {
  /// The word of these that was most likely meant by this one, which is none of them; `nil` if none is near.
  func nearest(of words: [String]) -> String? {
    // The beginning of just one word, with some letters of its own.
    let begun = words.filter { $0.hasPrefix(self) && contains { $0.isLetter } }
    if begun.count == 1 { return begun[0] }
    let near = words.map { (word: $0, slips: slips(to: $0)) }.min { $0.slips < $1.slips }
    return near.flatMap { $0.slips <= Swift.max(1, count / 3) && $0.slips < count ? $0.word : nil }
  }

  /// How many slips of the finger lie between this word and another: a letter too many, too few, wrong, or after the next one.
  private func slips(to word: String) -> Int {
    let (here, there) = (Array(self), Array(word))
    // Each row is for one letter more of this word, each place in it for one more of the other.
    var rows = [Array(0...there.count)]
    for (i, letter) in here.enumerated() {
      var row = [i + 1]
      for (j, other) in there.enumerated() {
        var least = Swift.min(rows[i][j] + (letter == other ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, letter == there[j - 1], here[i - 1] == other {
          least = Swift.min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[here.count][there.count]
  }
}
