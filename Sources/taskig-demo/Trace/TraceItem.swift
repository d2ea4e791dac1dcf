/// Something to be seen in a trace; times are in microseconds since its beginning.
enum TraceItem: Sendable {
  /// A moment on a thread.
  struct Point: Sendable {
    let thread: Int
    let time: Double
  }

  /// What a thread did for a while, or what was in flight and held none.
  struct Span: Sendable {
    enum Kind: String, Sendable {
      /// The action of a run was on the thread.
      case runs
      /// The thread waited for a run, or inside of one.
      case waits
      /// The thread, which was not in the middle of any other, brought the outcome; it takes next to no time.
      case completes
      /// A run whose action had returned went on without a thread.
      case inFlight
    }

    let kind: Kind
    let run: TraceRun
    /// The thread; where there is none, the one that the run left.
    let thread: Int
    let start: Double
    let end: Double
    /// How many others of the same thread it lies in.
    let depth: Int
  }

  /// What an arrow leads to.
  enum ArrowEnd: Sendable {
    /// A span that begins there.
    case toNext
    /// One that ends there.
    case intoPast
  }

  case span(Span)
  /// One thread has brought another one to do something, or to go on: from where, and where to.
  case arrow(Point, Point, number: Int, ArrowEnd)
  /// Something that takes no time, in words.
  case mark(Point, String)
}

/// What a trace says of a run.
struct TraceRun: Sendable, Encodable {
  let run: UInt64
  let madeIn: UInt64?
  let name: String
  let task: String
  let queue: String?
  let awaitedAt: String?
  let startedAt: String?
}

extension TraceItem.Span {
  /// What it is called in the row of its thread.
  var label: String {
    switch kind {
    case .waits: "waits: \(run.name)"
    case .completes: "completes: \(run.name)"
    case .runs, .inFlight: run.name
    }
  }
}
