import Testing

@testable import Taskig

/// The batch's decisions, step by step, without a thread.
struct BatchStateTests {
  @Test func `a runner is told each item once, and the last one ends it`() {
    var state = BatchState(count: 2, limit: 5)
    expect(state.begin(), is: .watch)
    expect(state.nextItem(after: .came, isCaller: true), is: (0, .nothing))
    expect(state.nextItem(after: .done, isCaller: true), is: (1, .nothing))
    expect(state.nextItem(after: .done, isCaller: true), is: (nil, .finish))
  }

  @Test func `at the limit a runner is released, and the idle caller is called back when an item ends`() {
    var state = BatchState(count: 3, limit: 1)
    expect(state.begin(), is: .nothing)
    expect(state.nextItem(after: .came, isCaller: true), is: (0, .nothing))
    expect(state.nextItem(after: .started, isCaller: true), is: (nil, .nothing))
    expect(state.finishedLater(0), is: .callBack(watch: false))
    expect(state.nextItem(after: .came, isCaller: true), is: (1, .nothing))
  }

  @Test func `where nobody is left to run items, a runner is brought`() {
    var state = BatchState(count: 2, limit: 1)
    expect(state.begin(runners: 1), is: .nothing)
    state.runnerCame(nil, isCaller: false)
    expect(state.nextItem(after: .came, isCaller: false), is: (0, .nothing))
    expect(state.nextItem(after: .started, isCaller: false), is: (nil, .nothing))
    expect(state.finishedLater(0), is: .bringRunner)
  }

  @Test func `stopping waits for what runs, and not for what still is in line`() {
    var state = BatchState(count: 5, limit: 5)
    _ = state.begin()
    _ = state.nextItem(after: .came, isCaller: true)
    state.putInLine(0)
    _ = state.nextItem(after: .started, isCaller: true)
    expect(state.stop(), is: .nothing)
    expect(state.nextItem(after: .done, isCaller: true), is: (nil, .finish))
    expect(state.mayLeaveLine(0), is: false)
  }

  @Test func `a standstill doubles the runners up to the limit, once those that were sent have come`() {
    var state = BatchState(count: 100, limit: 6)
    _ = state.begin()
    state.runnerCame(nil, isCaller: true)
    _ = state.nextItem(after: .came, isCaller: true)
    var runners = 1
    for more in [1, 2, 2] {
      guard case .slow = state.progress(after: 50) else {
        Issue.record("no runner came back, and that was not seen")
        return
      }
      expect(state.help(), is: more)
      if case .slow = state.progress(after: 50) { Issue.record("help is on its way, and more was called for") }
      for _ in 0..<more {
        state.runnerCame(nil, isCaller: false)
        _ = state.nextItem(after: .came, isCaller: false)
      }
      runners += more
    }
    #expect(runners == 6)
    guard case .needsNone = state.progress(after: 50) else {
      Issue.record("all runners allowed are there, and it goes on looking")
      return
    }
  }

  @Test func `cheap items bring no help`() {
    var state = BatchState(count: 1_000, limit: 50)
    _ = state.begin()
    _ = state.nextItem(after: .came, isCaller: true)
    for _ in 0..<100 { _ = state.nextItem(after: .done, isCaller: true) }
    guard case .good = state.progress(after: 50) else {
      Issue.record("a hundred items in a beat are not slow")
      return
    }
  }

  /// `#expect` cannot call what changes a value, so these take what the call returned.
  private func expect<T: Equatable>(_ actual: T, is expected: T, location: SourceLocation = #_sourceLocation) {
    #expect(actual == expected, sourceLocation: location)
  }

  private func expect(
    _ actual: (item: Int?, step: BatchState.Step), is expected: (Int?, BatchState.Step),
    location: SourceLocation = #_sourceLocation
  ) {
    #expect(actual == expected, sourceLocation: location)
  }
}
