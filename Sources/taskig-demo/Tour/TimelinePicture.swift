/// The timeline as a picture: a row for each thread, a bar where it was busy, and what each chapter ran.
struct TimelinePicture {
  private static let labelWidth = 11
  private static let ownRows = 10

  private let record: Timeline.Record
  private let page: Page
  private let width: Int

  init(_ record: Timeline.Record, page: Page) {
    self.record = record
    self.page = page
    width = min(page.terminal.columns, 140) - Self.labelWidth - 2
  }

  func draw() {
    page.write()
    page.write(page.style("What ran when, and on which thread", .bold))
    page.write()
    page.write(indent + chapterMarks)
    for row in rows {
      page.write("\(row.label.aligned(to: Self.labelWidth - 1)) \(edge)\(row.bar(on: page))\(edge)")
    }
    page.write(indent + timeMarks)
    page.write()
    let legend =
      "The higher a bar, the busier its thread. A row of many is full where most of them work at once."
    for line in legend.wrapped(to: page.textWidth) { page.write(line) }
    page.write()
    TimelineTable(record, page: page).draw()
  }

  private var indent: String { String(repeating: " ", count: Self.labelWidth + 1) }
  private var edge: String { page.style(page.terminal.hasBlocks ? "│" : "|", .faint) }

  /// The threads that were busy longest each have a row; the others share one, as does what held none.
  private var rows: [TimelineRow] {
    let threads = Dictionary(grouping: record.events.filter { $0.thread != nil }) { $0.thread ?? 0 }
    let byWork = threads.sorted {
      ($0.key == 0 ? 0 : 1, $1.value.work) < ($1.key == 0 ? 0 : 1, $0.value.work)
    }
    let own = byWork.prefix(Self.ownRows).sorted { $0.key < $1.key }
    let others = byWork.dropFirst(Self.ownRows)
    var rows = own.map { row(ThreadNumber.name(of: $0.key), $0.value) }
    if !others.isEmpty { rows.append(row("\(others.count) more", others.flatMap(\.value), isShared: true)) }
    let callbacks = record.events.filter { $0.thread == nil }
    if !callbacks.isEmpty { rows.append(row("no thread", callbacks, isShared: true)) }
    return rows
  }

  private func row(_ label: String, _ events: [Timeline.Event], isShared: Bool = false) -> TimelineRow {
    TimelineRow(label, events, over: record.end, width: width, isShared: isShared)
  }

  /// The chapters' numbers, each above its beginning, or as near to the right of it as there is room.
  private var chapterMarks: String {
    var marks = ""
    var next = 0
    for (index, opening) in record.openings.enumerated() {
      let number = "\(index + 1)"
      let column = max(next, Int(opening / record.end * Double(width)))
      guard column + number.count <= width else { break }
      marks += String(repeating: " ", count: column - next) + page.style(number, .chapter(index + 1))
      next = column + number.count
    }
    return marks
  }

  /// The scale: the beginning, the middle and the end.
  private var timeMarks: String {
    let (start, middle, end) = ("0 s", (record.end / 2).text, record.end.text)
    let left = start.padded(to: width / 2 - middle.count / 2) + middle
    return page.style(left + end.aligned(to: width - left.count), .faint)
  }
}

extension Sequence<Timeline.Event> {
  /// How long the pieces took together.
  var work: Duration { reduce(.zero) { $0 + ($1.span.upperBound - $1.span.lowerBound) } }
}
