import Foundation
import Taskig

struct NotFound: Error {}
struct Offline: Error {}

let fallback = "no page"

/// Reads a page, and blocks meanwhile.
func read(_ name: String) throws -> String {
  if name == "lost" { throw NotFound() }
  return "page \(name)"
}

/// Loads a page, and calls back.
func load(_ name: String, completion: @escaping @Sendable (Result<String, any Error>) -> Void) {
  DispatchQueue.global().async { completion(Result { try read(name) }) }
}

/// The task of fetching a page; over there, the same as that library has it.
func fetch(_ name: String) -> ThrowableTask<String> {
  ThrowableTask { load(name, completion: $0) }
}

/// Makes something of a page: its length.
func parse(_ page: String) throws -> Int {
  if page.isEmpty { throw NotFound() }
  return page.count
}

/// The task of fetching a page that takes a minute.
func slow() -> ThrowableTask<String> {
  ThrowableTask.delay(for: .seconds(60)).map { fallback }
}

let page = fetch("index").start()
let lost = fetch("lost").start()
let pages = [fetch("a").start(), fetch("b").start()]

// From over there: whatever calls back becomes a task.
let adopted = ThrowableTask<String> { completion in load("index") { completion($0) } }

// To over there: whatever takes a result gets that of a task.
adopted.async { result in finish(result) }

enum OverThere {
  static let finished = DispatchSemaphore(value: 0)
}

@Sendable func finish(_ result: Result<String, any Error>) {
  if case .success(let page) = result { print("to over there:", page) }
  OverThere.finished.signal()
}

let total = try pages.whenAll().map { try $0.map(parse).reduce(0, +) }.await()
let text = try lost.recover { _ in fallback }.await()
let late = slow().awaitResult(timeout: .milliseconds(10))
if case .failure(TaskigError.timedOut) = late { print(try page.await(), text, total) }
OverThere.finished.wait()
