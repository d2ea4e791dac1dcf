import Foundation
import Taskig

/// The observer that makes a trace of what tasks do: what each thread is busy with, what it waits for, and who brought it to that.
final class TraceRecorder: TaskObserver {
  private struct Run {
    let about: TraceRun
    let made: TraceItem.Point
    /// Whether an arrow can begin there: viewers bind it to the span around it.
    let isMadeInSpan: Bool
    var started: TraceItem.Point?
    var returned: TraceItem.Point?
    var finished: TraceItem.Point?
    var isCancelled = false
    /// How many threads wait for it now.
    var waits = 0

    /// Whether nothing more of it is to be seen.
    var isOver: Bool { waits == 0 && (finished != nil || isCancelled) && (started == nil || returned != nil) }

    /// What it did without a thread, until now.
    func flight(until time: Double) -> [TraceItem] {
      returned.map { returned in
        [
          .span(
            TraceItem.Span(
              kind: .inFlight, run: about, thread: returned.thread, start: returned.time, end: time, depth: 0))
        ]
      } ?? []
    }
  }

  /// A span that has no end yet.
  private struct Opening {
    let kind: TraceItem.Span.Kind
    let run: TraceRun
    let start: Double
  }

  private struct State {
    var runs: [UInt64: Run] = [:]
    /// What each thread is in the middle of, the innermost last.
    var open: [Int: [Opening]] = [:]
    var arrows = 0
    var isClosed = false

    /// An arrow, if it leads to another thread.
    mutating func arrow(
      from: TraceItem.Point, to: TraceItem.Point, _ end: TraceItem.ArrowEnd
    ) -> [TraceItem] {
      guard from.thread != to.thread else { return [] }
      arrows += 1
      return [.arrow(from, to, number: arrows, end)]
    }
  }

  private let start = ContinuousClock.now
  private let state = Guarded(State())
  private let writer: any TraceWriter

  init(to writer: any TraceWriter) {
    self.writer = writer
  }

  func observe(_ event: TaskEvent) {
    let point = TraceItem.Point(thread: ThreadNumber.current, time: (event.time - start).seconds * 1e6)
    state.withLock { state in
      guard !state.isClosed else { return }
      for item in Self.note(event, at: point, in: &state) { writer.write(item) }
    }
  }

  /// Ends the trace with what goes on still, on threads and without.
  func close() throws {
    try state.withLock { state in
      state.isClosed = true
      let now = (ContinuousClock.now - start).seconds * 1e6
      for thread in state.open.keys {
        while let span = Self.pop(from: &state.open[thread, default: []], at: .init(thread: thread, time: now)) {
          writer.write(.span(span))
        }
      }
      for run in state.runs.values where !run.isCancelled {
        for item in run.flight(until: now) { writer.write(item) }
      }
      try writer.close()
    }
  }

  private static func note(_ event: TaskEvent, at point: TraceItem.Point, in state: inout State) -> [TraceItem] {
    let id = event.run.id
    let isInSpan = state.open[point.thread]?.isEmpty == false
    var run = state.runs[id] ?? Run(about: TraceRun(event.run), made: point, isMadeInSpan: isInSpan)
    defer { state.runs[id] = run.isOver ? nil : run }
    var items: [TraceItem] = []
    switch event.kind {
    case .made: break
    case .started:
      run.started = point
      state.open[point.thread, default: []].append(Opening(kind: .runs, run: run.about, start: point.time))
      // Whoever awaits it waits from then on, and that is a span.
      if run.isMadeInSpan || event.run.isAwaited { items += state.arrow(from: run.made, to: point, .toNext) }
    case .returned:
      run.returned = point
      items += pop(from: &state.open[point.thread, default: []], at: point).map { [.span($0)] } ?? []
    case .finished(let error):
      run.finished = point
      if !isInSpan { items.append(.span(completing(run.about, at: point))) }
      if let error {
        let isCancelled = TaskResult<Void>.failure(error).isCancelled
        items.append(.mark(point, "\(run.about.name) \(isCancelled ? "is cancelled" : "failed: \(error)")"))
      }
      if !run.isCancelled { items += run.flight(until: point.time) }
    case .cancelled:
      run.isCancelled = true
      items.append(.mark(point, "\(run.about.name) is cancelled"))
      items += run.flight(until: point.time)
    case .parked:
      run.waits += 1
      // If its action runs elsewhere, the thread has done nothing since the run was made.
      let begin = run.made.thread == point.thread && run.started?.thread != point.thread ? run.made.time : point.time
      state.open[point.thread, default: []].append(Opening(kind: .waits, run: run.about, start: begin))
    case .resumed:
      run.waits -= 1
      items += pop(from: &state.open[point.thread, default: []], at: point).map { [.span($0)] } ?? []
      if let finished = run.finished { items += state.arrow(from: finished, to: point, .intoPast) }
    }
    return items
  }

  /// A span for an arrow to begin in, where there is no other; as short as can be, since what the thread does else is not known.
  private static func completing(_ run: TraceRun, at point: TraceItem.Point) -> TraceItem.Span {
    TraceItem.Span(
      kind: .completes, run: run, thread: point.thread, start: point.time, end: point.time + 1, depth: 0)
  }

  /// Ends the innermost span: what happens on one thread lies in one another.
  private static func pop(from open: inout [Opening], at point: TraceItem.Point) -> TraceItem.Span? {
    open.popLast().map { opening in
      TraceItem.Span(
        kind: opening.kind, run: opening.run, thread: point.thread, start: opening.start, end: point.time,
        depth: open.count)
    }
  }
}

extension TraceRun {
  fileprivate init(_ run: TaskRun) {
    let place = "\(run.file):\(run.line)"
    self.init(
      run: run.id, madeIn: run.parent, name: run.name, task: run.task, queue: run.queue,
      awaitedAt: run.isAwaited ? place : nil, startedAt: run.isAwaited ? nil : place)
  }
}
