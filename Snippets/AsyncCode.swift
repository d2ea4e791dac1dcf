import Foundation
import Taskig

let answer = await Task { 6 * 7 }.value
let text = try await ThrowableTask { try String(contentsOfFile: "/etc/hosts", encoding: .utf8) }.value

print(answer, !text.isEmpty)

/// A page, after a while.
func page(_ name: String, after milliseconds: Int) -> ThrowableTask<String> {
  ThrowableTask.delay(for: .milliseconds(milliseconds)).map { "page \(name)" }
}

// From `async` code: no thread is blocked.
let first = try await page("first", after: 1).value
print(first)

// Many, in the order in which they are done, at most four at once.
let pages = [page("late", after: 200), page("early", after: 1)]
for try await page in pages.asCompleted(concurrency: 4) { print(page) }

// What each ended with, when failures are no reason to stop.
let downloads = pages + [ThrowableTask { throw CocoaError(.fileNoSuchFile) }]
for await (index, result) in downloads.resultsAsCompleted() {
  if case .failure = result { print(index, "failed") }
}

// Plain tasks do not throw.
for await square in (1...3).map({ n in Task { n * n } }).asCompleted() { print("square", square) }
