import Foundation
import Taskig

actor Greeter {
  private var greeted = 0

  func greet(_ name: String) -> String {
    greeted += 1
    return "Hello, \(name), number \(greeted)"
  }
}

let greeter = Greeter()

/// What the app shows, which belongs to the main thread.
@MainActor final class Window {
  private(set) var title = ""

  func show(_ title: String) -> String {
    self.title = title
    return "shown: \(title)"
  }
}

let window = Window()

// Code that blocks calls code that suspends.
let greeting = Task.awaitAsync { await greeter.greet("Ada") }
print(greeting)

// As a task, it is awaited like any other: with a timeout, in a collection, with operators.
let names = ["Ben", "Cy"]
let greetings = names.map { name in Task.fromAsync { await greeter.greet(name) } }.awaitAll()
print(greetings.count)

// What may fail is a throwing task, and can be cancelled.
let slow = ThrowableTask.fromAsync {
  try await _Concurrency.Task.sleep(for: .seconds(60))
  return "too late"
}
if case .failure(TaskigError.timedOut) = slow.awaitResult(timeout: .milliseconds(20)) { print("not done in time") }

// The main thread waits for code that needs the main thread.
print(Task.awaitAsync { await window.show("a title") })

// A function that blocks, called by the code that was bridged, is called off with it.
let inside = ThrowableTask.fromAsync { try waitForThePage() }
inside.async { result in print("cancelled inside:", result.isCancelled) }

func waitForThePage() throws -> String {
  try ThrowableTask.delay(for: .seconds(60)).await()
  return "the page"
}

inside.cancel()

/// A page, after a while.
func page(_ name: String, after milliseconds: Int) -> ThrowableTask<String> {
  ThrowableTask.delay(for: .milliseconds(milliseconds)).map { "page \(name)" }
}

func readPages() async throws {
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
}

try ThrowableTask.awaitAsync { try await readPages() }

enum Request {
  @TaskLocal static var number = 0
}

print("request", Request.$number.withValue(7) { Task.awaitAsync { Request.number } })
