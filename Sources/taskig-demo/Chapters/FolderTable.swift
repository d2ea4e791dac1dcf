/// What was counted, by kind of file.
struct FolderTable {
  /// A file, counted twice.
  struct Entry {
    let kind: String
    let once: TextTally
    let again: TextTally
  }

  private static let rows = 6

  private let kinds: [(name: String, tally: TextTally)]
  private let page: Page

  init(_ entries: [Entry], page: Page) {
    self.page = page
    var tallies: [String: TextTally] = [:]
    for entry in entries { tallies[entry.kind, default: TextTally()] += entry.again }
    kinds = tallies.map { (name: $0.key.isEmpty ? "(none)" : $0.key, tally: $0.value) }
      .sorted { ($1.tally.lines, $0.name) < ($0.tally.lines, $1.name) }
  }

  func draw() {
    page.write(page.style(line("extension", "files", "lines", "words", "bytes"), .faint))
    for kind in kinds.prefix(Self.rows) { page.write(line(kind.name, kind.tally)) }
    let others = kinds.dropFirst(Self.rows)
    if !others.isEmpty { page.write(line("\(others.count.text) others", sum(others))) }
    page.write(line("all", sum(kinds[...])))
  }

  private func sum(_ kinds: ArraySlice<(name: String, tally: TextTally)>) -> TextTally {
    kinds.reduce(into: TextTally()) { $0 += $1.tally }
  }

  private func line(_ name: String, _ tally: TextTally) -> String {
    line(name, tally.files.text, tally.lines.text, tally.words.text, tally.bytes.text)
  }

  private func line(_ name: String, _ cells: String...) -> String {
    let width = (page.textWidth - 18) / cells.count
    return "   " + name.clipped(to: 14).padded(to: 14) + cells.map { $0.aligned(to: width) }.joined()
  }
}
