/// What each chapter ran, on how many threads, and how its work compares with the time that passed.
struct TimelineTable {
  private let record: Timeline.Record
  private let page: Page

  init(_ record: Timeline.Record, page: Page) {
    self.record = record
    self.page = page
  }

  func draw() {
    page.write(page.style(" " + line("what ran", "threads", "work", "time", "at once"), .faint))
    let ends = record.openings.dropFirst() + [record.end]
    for (index, (opening, end)) in zip(record.openings, ends).enumerated() {
      let events = record.events.filter { $0.chapter == index + 1 }
      let number = page.style("\(index + 1)", .chapter(index + 1))
      page.write(number + row(labels(of: events), events, time: end - opening))
    }
    page.write(" " + row("all chapters", record.events, time: record.end))
    page.write()
    let (threads, work) = (threads(of: record.events), record.events.work)
    let summary =
      "\(threads.of("thread")) did \(work.text) of work in \(record.end.text), a speed-up of "
      + "\((work / record.end).text). Work counts the time for which bodies block, as on a network, and what "
      + "is in flight as a callback and holds no thread."
    for text in summary.wrapped(to: page.textWidth) { page.write(text) }
  }

  private func row(_ what: String, _ events: [Timeline.Event], time: Duration) -> String {
    let (threads, work) = (threads(of: events), events.work)
    return line(what, threads.text, work.text, time.text, (work / time).text)
  }

  private func line(
    _ what: String, _ threads: String, _ work: String, _ time: String, _ atOnce: String
  ) -> String {
    let width = page.textWidth - 39
    return "  " + what.clipped(to: width).padded(to: width) + threads.aligned(to: 8)
      + work.aligned(to: 9) + time.aligned(to: 9) + atOnce.aligned(to: 10)
  }

  private func threads(of events: [Timeline.Event]) -> Int { Set(events.compactMap(\.thread)).count }

  /// How often each kind of work ran, in the order in which they first did.
  private func labels(of events: [Timeline.Event]) -> String {
    let byLabel = Dictionary(grouping: events, by: \.label)
    let inOrder = byLabel.sorted {
      ($0.value[0].span.lowerBound, $0.key) < ($1.value[0].span.lowerBound, $1.key)
    }
    return inOrder.map { "\($0.value.count.text) \($0.key)" }.joined(separator: ", ")
  }
}
