/// How many runs are in flight without a thread, over time, as an area.
struct TraceFlights {
  private static let areaHeight = 40.0

  private let steps: [(time: Double, count: Int)]
  private let most: Int
  private let place: (end: Double, left: Double, right: Double, top: Double)

  /// - Parameters:
  ///   - spans: All of the trace's.
  ///   - end: The time at the right edge, in the trace's.
  ///   - left: Where the area begins.
  ///   - right: Where it ends.
  ///   - top: How far down it may begin.
  init(_ spans: [TraceItem.Span], end: Double, from left: Double, to right: Double, top: Double) {
    let flights = spans.filter { $0.kind == .inFlight }
    let changes = (flights.map { ($0.start, 1) } + flights.map { ($0.end, -1) }).sorted { $0 < $1 }
    var count = 0
    steps = changes.map { time, change in
      count += change
      return (time, count)
    }
    most = steps.map(\.count).max() ?? 0
    place = (end, left, right, top)
  }

  /// How much room it takes.
  var height: Double { most == 0 ? 0 : Self.areaHeight + 14 }

  /// The area and its label; nothing if nothing was in flight.
  var svg: [String] {
    guard most > 0 else { return [] }
    let bottom = place.top + Self.areaHeight
    var path = "M\(text(place.left)) \(text(bottom))"
    for (time, count) in columns {
      path += "H\(text(x(time)))V\(text(bottom - Double(count) / Double(most) * (Self.areaHeight - 4)))"
    }
    return [
      #"<path d="\#(path)V\#(text(bottom))Z" fill="lavender" stroke="slateblue" stroke-width="0.5"/>"#,
      #"<text x="\#(text(place.left - 8))" y="\#(text(bottom - 14))" text-anchor="end">in flight,</text>"#,
      #"<text x="\#(text(place.left - 8))" y="\#(text(bottom - 2))" text-anchor="end">at most \#(most)</text>"#,
    ]
  }

  /// The steps, of which only the last in a column can be seen.
  private var columns: [(time: Double, count: Int)] {
    steps.indices.filter { $0 == steps.count - 1 || x(steps[$0 + 1].time) - x(steps[$0].time) > 0.2 }.map { steps[$0] }
  }

  private func x(_ time: Double) -> Double { place.left + time / place.end * (place.right - place.left) }
}
