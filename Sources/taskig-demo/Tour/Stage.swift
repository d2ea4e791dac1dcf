/// What a chapter tells its story on: it prints, takes times, checks, and notes what ran when.
struct Stage: Sendable {
  let chapter: Int
  let page: Page
  let timeline: Timeline
  let checks: Checks

  private static let timeWidth = 9

  /// Runs the chapter from its title on; an error that it does not expect itself counts as a failed check.
  func play(_ chapter: any Chapter) {
    page.write()
    let number = page.style("\(self.chapter)", .chapter(self.chapter))
    page.write("\(number)  \(page.style(chapter.title, .bold))")
    timeline.open(self.chapter)
    do {
      try chapter.run(on: self)
    } catch {
      fail("the chapter", expected: "no error", got: "\(error)")
    }
  }

  /// Prints what is going to happen, or what it means.
  func say(_ text: String) {
    for line in text.wrapped(to: page.textWidth - 3) { page.write("   \(line)") }
  }

  /// Runs the closure and returns what it returns, and how long it took.
  func measure<Value>(_ body: () throws -> Value) rethrows -> (Value, Duration) {
    let start = timeline.now
    let value = try body()
    return (value, timeline.now - start)
  }

  /// Prints what was done and what came back, and how long it took.
  func report(_ what: String, _ time: Duration) {
    let width = page.textWidth - 5 - Self.timeWidth
    let lines = what.wrapped(to: width)
    for line in lines.dropLast() { page.write("   \(line)") }
    let time = page.style(time.text.aligned(to: Self.timeWidth), .faint)
    page.write("   \((lines.last ?? "").padded(to: width))  \(time)")
  }

  /// Checks that what came is what should have come.
  func check<Value: Equatable>(_ what: String, _ value: Value, is expected: Value) {
    if value == expected {
      pass("\(what): \(text(of: value))")
    } else {
      fail(what, expected: text(of: expected), got: text(of: value))
    }
  }

  /// Checks that something took less than a limit, which leaves room for a busy machine.
  func check(_ what: String, _ time: Duration, isUnder limit: Duration) {
    if time < limit {
      pass("\(what): \(time.text), under \(limit.text)")
    } else {
      fail(what, expected: "under \(limit.text)", got: time.text)
    }
  }

  /// Runs work on the thread that calls, and notes in the timeline how long it took and where.
  func work<Value>(_ label: String, _ body: () throws -> Value) rethrows -> Value {
    let start = timeline.now
    defer { timeline.note(chapter, label, from: start, holdsThread: true) }
    return try body()
  }

  private func pass(_ message: String) {
    checks.notePass()
    write(message, after: "ok", .good)
  }

  private func fail(_ what: String, expected: String, got: String) {
    checks.noteFailure("Chapter \(chapter), \(what): expected \(expected), got \(got)")
    write("\(what): expected \(expected), got \(got)", after: "FAILED", .bad)
  }

  private func write(_ message: String, after verdict: String, _ tone: Style.Tone) {
    for (index, line) in message.wrapped(to: page.textWidth - 5 - verdict.count).enumerated() {
      let mark = index == 0 ? page.style(verdict, tone) : "".padded(to: verdict.count)
      page.write("   \(mark)  \(line)")
    }
  }

  private func text(of value: Any) -> String {
    // Inside of optionals and arrays, Swift prints values as for a debugger; here they are for readers.
    if let list = value as? [Any] { return list.map { text(of: $0) }.joined(separator: ", ") }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      return mirror.children.first.map { text(of: $0.value) } ?? "nothing"
    }
    return switch value {
    case let number as Int: number.text
    case let bool as Bool: bool ? "yes" : "no"
    default: "\(value)"
    }
  }
}
