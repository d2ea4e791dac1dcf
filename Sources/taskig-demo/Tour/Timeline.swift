import Foundation

/// What ran when on which thread, noted from all threads while the tour goes on.
final class Timeline: Sendable {
  /// One piece of work.
  struct Event: Sendable {
    let chapter: Int
    let label: String
    /// Which thread it ran on, 0 for the main one; `nil` if it held none.
    let thread: Int?
    let span: Range<Duration>
  }

  /// The timeline after the end.
  struct Record: Sendable {
    let events: [Event]
    /// When each chapter opened, in their order.
    let openings: [Duration]
    let end: Duration
  }

  private struct State {
    var events: [Event] = []
    var openings: [Duration] = []
  }

  private let start = ContinuousClock.now
  private let state = Guarded(State())

  /// How long ago the timeline began.
  var now: Duration { ContinuousClock.now - start }

  /// Notes that a chapter begins.
  func open(_ chapter: Int) {
    state.withLock { $0.openings.append(now) }
  }

  /// Notes a piece of work that ends now.
  ///
  /// - Parameters:
  ///   - chapter: The number of the chapter that it belongs to.
  ///   - label: What it was.
  ///   - begin: When it began.
  ///   - holdsThread: Whether the thread that calls was busy with it all the while.
  func note(_ chapter: Int, _ label: String, from begin: Duration, holdsThread: Bool) {
    let thread = holdsThread ? ThreadNumber.current : nil
    let event = Event(chapter: chapter, label: label, thread: thread, span: begin..<now)
    state.withLock { $0.events.append(event) }
  }

  /// Ends the timeline and returns what it holds.
  func close() -> Record {
    state.withLock { Record(events: $0.events, openings: $0.openings, end: now) }
  }
}
