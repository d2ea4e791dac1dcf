import Foundation

/// A timeline as SVG: a row for each thread with what it did, one for what was in flight, arrows for who brought whom to what.
struct TracePicture {
  private static let (width, left, bar) = (1_200.0, 90.0, 16.0)
  /// Beyond so many, arrows hide what they are about.
  private static let arrowsAtMost = 200
  /// Only so many threads, those that are busy longest, have a row.
  private static let rowsAtMost = 40
  /// What is nested more deeply is too thin to be told apart, and left out.
  private static let levels = 6

  private let spans: [TraceItem.Span]
  private let arrows: [(from: TraceItem.Point, to: TraceItem.Point)]
  private let marks: [(point: TraceItem.Point, words: String)]
  private let end: Double
  private let threadsLeftOut: Int
  private let tops: [Int: Double]
  private let heights: [Int: Double]
  private let bottom: Double

  init(_ items: [TraceItem]) {
    var (spans, arrows, marks) = (
      [TraceItem.Span](), [(TraceItem.Point, TraceItem.Point)](), [(TraceItem.Point, String)]()
    )
    for item in items {
      switch item {
      case .span(let span): spans.append(span)
      case .arrow(let from, let to, _, _): arrows.append((from, to))
      case .mark(let point, let words): marks.append((point, words))
      }
    }
    self.spans = spans
    self.arrows = arrows.map { (from: $0.0, to: $0.1) }
    self.marks = marks.map { (point: $0.0, words: $0.1) }
    end = max(spans.map(\.end).max() ?? 0, marks.map(\.0.time).max() ?? 0, 1)
    let all = Dictionary(grouping: spans.filter { $0.kind != .inFlight }, by: \.thread)
    let longest = all.sorted { ($1.value.busyTime, $0.key) < ($0.value.busyTime, $1.key) }.prefix(Self.rowsAtMost)
    let busy = Dictionary(uniqueKeysWithValues: longest.map { ($0.key, $0.value) })
    threadsLeftOut = all.count - busy.count
    var (tops, heights, y) = ([Int: Double](), [Int: Double](), 40.0)
    for thread in busy.keys.sorted() {
      let depth = min((busy[thread]?.map(\.depth).max() ?? 0) + 1, Self.levels)
      (tops[thread], heights[thread]) = (y, Double(depth) * Self.bar)
      y += Double(depth) * Self.bar + 8
    }
    (self.tops, self.heights, bottom) = (tops, heights, y)
  }

  /// The whole picture.
  var svg: String {
    let flights = TraceFlights(spans, end: end, from: Self.left, to: Self.width - 10, top: bottom)
    let height = bottom + flights.height + 30
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(text(Self.width))" height="\(text(height))" font-family="sans-serif" font-size="11">
      <rect width="100%" height="100%" fill="white"/>
      \((ticks(to: height - 25) + rows + bars + (flights.svg + arrowLines + markDots)).joined(separator: "\n"))
      <text x="\(text(Self.left))" y="\(text(height - 8))" fill="#555">\(caption)</text>
      </svg>

      """
  }

  private var caption: String {
    let threads = threadsLeftOut > 0 ? " \(threadsLeftOut.of("more thread")), less busy, did not fit." : ""
    let arrows = arrows.count > Self.arrowsAtMost ? " The \(arrows.count.text) arrows would hide the rest." : ""
    return "Coloured: a task's action runs. Grey: the thread waits. Point at a bar for more.\(threads)\(arrows)"
  }

  private func x(_ time: Double) -> Double { Self.left + time / end * (Self.width - 10 - Self.left) }

  /// The middle of a thread's row; `nil` if it has none.
  private func y(_ thread: Int) -> Double? {
    tops[thread].map { $0 + (heights[thread] ?? 0) / 2 }
  }

  private func ticks(to bottom: Double) -> [String] {
    let rough = end / 8
    let power = pow(10, floor(log10(rough)))
    let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough } ?? rough
    return stride(from: 0, through: end, by: step).map { time in
      """
      <path d="M\(text(x(time))) 28V\(text(bottom))" stroke="#ddd"/>\
      <text x="\(text(x(time)))" y="22" text-anchor="middle" fill="#555">\(Duration.microseconds(time).text)</text>
      """
    }
  }

  private var rows: [String] {
    tops.sorted { $0.key < $1.key }.map { thread, top in
      """
      <text x="\(text(Self.left - 8))" y="\(text(top + 12))" text-anchor="end">\(ThreadNumber.name(of: thread))</text>
      """
    }
  }

  private var bars: [String] {
    // What is too thin to be seen beside its neighbour is left out: a picture has so many columns, a trace may have millions of spans.
    var lastEnds: [[Int]: Double] = [:]
    let shown = spans.filter { $0.kind != .inFlight && $0.depth < Self.levels }
      .sorted { ($0.start, $0.depth) < ($1.start, $1.depth) }
    return shown.compactMap { span in
      guard let top = tops[span.thread] else { return nil }
      let (from, to) = (x(span.start), max(x(span.end), x(span.start) + 0.4))
      let place = [span.thread, span.depth]
      guard to > (lastEnds[place] ?? 0) + 0.2 else { return nil }
      lastEnds[place] = to
      let y = top + Double(span.depth) * Self.bar
      let room = Int((to - from - 4) / 6.5)
      return """
        <g><title>\(escaped(detail(of: span)))</title>\
        <rect x="\(text(from))" y="\(text(y))" width="\(text(to - from))" height="\(text(Self.bar - 2))" fill="\(colour(of: span))"/>\
        \(room > 3 ? #"<text x="\#(text(from + 3))" y="\#(text(y + 11))">\#(escaped(span.label.clipped(to: room)))</text>"# : "")</g>
        """
    }
  }

  private var arrowLines: [String] {
    guard arrows.count <= Self.arrowsAtMost else { return [] }
    return arrows.compactMap { arrow in
      guard let from = y(arrow.from.thread), let to = y(arrow.to.thread) else { return nil }
      return """
        <path d="M\(text(x(arrow.from.time))) \(text(from))L\(text(x(arrow.to.time))) \(text(to))" stroke="#333" stroke-width="0.6" \
        opacity="0.6"/><circle cx="\(text(x(arrow.to.time)))" cy="\(text(to))" r="1.8" fill="#333"/>
        """
    }
  }

  private var markDots: [String] {
    marks.prefix(Self.arrowsAtMost).compactMap { mark in
      guard let y = y(mark.point.thread) else { return nil }
      return """
        <circle cx="\(text(x(mark.point.time)))" cy="\(text(y))" r="3" fill="#c00"><title>\(escaped(mark.words))</title></circle>
        """
    }
  }

  private func colour(of span: TraceItem.Span) -> String {
    if span.kind == .waits { return "#e4e4e4" }
    let palette = ["#9ecae1", "#fdbe85", "#a1d99b", "#dadaeb", "#fcbba1", "#c7e9c0", "#fde0a5", "#bcd9ea"]
    // The same in every run of the program, unlike a string's hash value.
    return palette[span.run.name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % palette.count]
  }

  private func detail(of span: TraceItem.Span) -> String {
    let place = span.run.awaitedAt.map { ", awaited at \($0)" } ?? span.run.startedAt.map { ", started at \($0)" } ?? ""
    let queue = span.run.queue.map { " on the queue “\($0)”" } ?? ""
    let time = Duration.microseconds(span.end - span.start).text
    let verb =
      switch span.kind {
      case .waits: "Waits \(time) for"
      case .completes: "Completes"
      case .runs, .inFlight: "Runs \(time)"
      }
    return "\(verb): \(span.run.task)\(queue)\(place)"
  }
}

extension [TraceItem.Span] {
  /// For how long actions were on the thread, of which these are the spans, in microseconds; what lies in others counts with them.
  fileprivate var busyTime: Double {
    reduce(0) { $0 + ($1.kind == .runs && $1.depth == 0 ? $1.end - $1.start : 0) }
  }
}

/// A number as it stands in a picture.
func text(_ number: Double) -> String { String(format: "%.2f", number) }

/// The text as XML has it, scalar by scalar: a `<` that a combining mark follows is one all the same.
private func escaped(_ text: String) -> String {
  text.unicodeScalars.map { scalar in
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    // What XML has no way to write is shown as missing.
    case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: "\u{FFFD}"
    default: String(scalar)
    }
  }.joined()
}
