/// One row of the picture: how busy a thread, or many together, were in each column's share of time.
struct TimelineRow {
  let label: String

  /// Seconds of work in each column, by chapter.
  private var columns: [[Int: Double]]
  /// Seconds of work that fill a column up.
  private var capacity: Double

  /// - Parameters:
  ///   - label: What stands on the left.
  ///   - events: What ran; in a row that is not shared, one after the other.
  ///   - end: What the right edge stands for.
  ///   - width: The number of columns.
  ///   - isShared: Whether pieces overlap; bars are then as high as many of them run at once.
  init(_ label: String, _ events: [Timeline.Event], over end: Duration, width: Int, isShared: Bool) {
    self.label = label
    columns = Array(repeating: [:], count: width)
    capacity = end.seconds / Double(width)
    for event in events { add(event) }
    if isShared { capacity = max(capacity, columns.map { $0.values.reduce(0, +) }.max() ?? 0) }
  }

  /// The columns as characters, each in the colour of the chapter that has most of it.
  func bar(on page: Page) -> String {
    let levels = page.terminal.hasBlocks ? Array("▁▂▃▄▅▆▇█") : Array(".:=#")
    return columns.map { column in
      guard let main = column.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return " " }
      let share = min(column.values.reduce(0, +) / capacity, 1)
      let level = max(Int((share * Double(levels.count)).rounded(.up)), 1)
      return page.style(String(levels[level - 1]), .chapter(main.key))
    }.joined()
  }

  private mutating func add(_ event: Timeline.Event) {
    let column = capacity
    let (begin, end) = (event.span.lowerBound.seconds, event.span.upperBound.seconds)
    let last = columns.count - 1
    for index in min(Int(begin / column), last)...min(Int(end / column), last) {
      let overlap = min(end, Double(index + 1) * column) - max(begin, Double(index) * column)
      columns[index][event.chapter, default: 0] += max(overlap, 0)
    }
  }
}
