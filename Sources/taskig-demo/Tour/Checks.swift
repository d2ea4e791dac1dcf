/// What the tour has checked about itself so far.
final class Checks: Sendable {
  private let results = Guarded<(passed: Int, failures: [String])>((0, []))

  func notePass() {
    results.withLock { $0.passed += 1 }
  }

  func noteFailure(_ message: String) {
    results.withLock { $0.failures.append(message) }
  }

  /// Says how the checks went, and returns whether all passed.
  func conclude(on page: Page) -> Bool {
    let (passed, failures) = results.withLock { $0 }
    page.write()
    guard !failures.isEmpty else {
      page.write(page.style("All \(passed.of("check")) passed.", .good))
      return true
    }
    page.write(page.style("\(failures.count.of("check")) of \((passed + failures.count).text) failed:", .bad))
    for failure in failures {
      for line in failure.wrapped(to: page.textWidth - 2) { page.write("  \(line)") }
    }
    return false
  }
}
