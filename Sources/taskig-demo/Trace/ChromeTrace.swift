import Foundation

/// A trace in Chrome's trace event format, as an array of JSON objects, which Perfetto and chrome://tracing open.
///
/// It is written as it comes, some times a second. What is cut off, as by Ctrl-C in the tour, can be opened too: the format lets the
/// end of the array be missing.
///
/// The format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
final class ChromeTrace: TraceWriter {
  /// One object.
  private struct Event: Encodable {
    struct Naming: Encodable {
      let name: String
    }

    /// What kind of event it is.
    let ph: String
    let name: String
    let cat: String
    let pid = 1
    let tid: Int
    var ts: Double?
    var dur: Double?
    var id: UInt64?
    /// What an arrow's end is bound to: `e`, what encloses it; otherwise what begins next.
    var bp: String?
    /// How far a mark reaches: `t`, its thread.
    var s: String?
    var args: Arguments?

    enum Arguments: Encodable {
      case run(TraceRun)
      case name(String)

      func encode(to encoder: any Encoder) throws {
        switch self {
        case .run(let run): try run.encode(to: encoder)
        case .name(let name): try Naming(name: name).encode(to: encoder)
        }
      }
    }
  }

  private struct State {
    var buffer = Data("[\n".utf8)
    var isFirst = true
    var threads: Set<Int> = []
    var failure: (any Error)?
    var lastFlush = ContinuousClock.now
  }

  private let file: TraceFile
  private let state = Guarded(State())

  init(to file: TraceFile) {
    self.file = file
    state.withLock { state in
      add(Event(ph: "M", name: "process_name", cat: "", tid: 0, args: .name(DemoTool.name)), to: &state)
      flush(&state)
    }
  }

  func write(_ item: TraceItem) {
    state.withLock { state in
      for event in events(of: item) {
        if state.threads.insert(event.tid).inserted {
          let name = ThreadNumber.name(of: event.tid)
          add(Event(ph: "M", name: "thread_name", cat: "", tid: event.tid, args: .name(name)), to: &state)
        }
        add(event, to: &state)
      }
      if state.buffer.count > 1 << 16 || state.lastFlush.duration(to: .now) > .milliseconds(100) { flush(&state) }
    }
  }

  func close() throws {
    try state.withLock { state in
      state.buffer.append(contentsOf: Data("\n]\n".utf8))
      flush(&state)
      if let failure = state.failure { throw failure }
    }
  }

  private func events(of item: TraceItem) -> [Event] {
    switch item {
    case .span(let span):
      let event = { (phase: String, name: String) in
        Event(ph: phase, name: name, cat: span.kind.rawValue, tid: span.thread, args: .run(span.run))
      }
      switch span.kind {
      case .runs, .waits, .completes:
        var whole = event("X", span.label)
        (whole.ts, whole.dur) = (span.start, span.end - span.start)
        return [whole]
      case .inFlight:
        // Such runs overlap as they like, so each pair has a row of its own.
        var (begin, end) = (event("b", span.run.name), event("e", span.run.name))
        (begin.ts, begin.id) = (span.start, span.run.run)
        (end.ts, end.id) = (span.end, span.run.run)
        return [begin, end]
      }
    case .arrow(let from, let to, let number, let leads):
      var (begin, end) = (
        Event(ph: "s", name: "brings", cat: "arrow", tid: from.thread),
        Event(ph: "f", name: "brings", cat: "arrow", tid: to.thread)
      )
      (begin.id, end.id) = (UInt64(number), UInt64(number))
      // A nanosecond within the spans in question: at their very edges, viewers take others for them.
      begin.ts = from.time + 0.001
      switch leads {
      case .toNext: end.ts = to.time
      case .intoPast: (end.ts, end.bp) = (to.time - 0.001, "e")
      }
      return [begin, end]
    case .mark(let point, let words):
      var event = Event(ph: "i", name: words, cat: "mark", tid: point.thread)
      (event.ts, event.s) = (point.time, "t")
      return [event]
    }
  }

  private func add(_ event: Event, to state: inout State) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let data = try encoder.encode(event)
      if !state.isFirst { state.buffer.append(contentsOf: Data(",\n".utf8)) }
      state.isFirst = false
      state.buffer.append(data)
    } catch {
      state.failure = state.failure ?? error
    }
  }

  private func flush(_ state: inout State) {
    defer {
      state.buffer.removeAll(keepingCapacity: true)
      state.lastFlush = .now
    }
    guard state.failure == nil else { return }
    do {
      try file.append(state.buffer)
    } catch {
      state.failure = error
    }
  }
}
