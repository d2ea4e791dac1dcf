import Foundation
import Taskig

// The small world of the page “Coming from other libraries”, in which its lines are run. The page shows these declarations.

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

// What is only for the tests.

/// A `fetch` that fails the first times that its task is run.
func failing(first failures: Int) -> @Sendable (String) -> ThrowableTask<String> {
  let runs = Shared(0)
  return { name in ThrowableTask { try read(runs.increment() > failures ? name : "lost") } }
}

/// Where the lines of a test show things.
final class Screen: Sendable {
  private let lines = Shared<[String]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  var show: @Sendable (Any) -> Void {
    { [self] in
      let text = text($0)
      lines.withLock { $0.append(text) }
      arrivals.signal()
    }
  }

  /// Whether nothing has been shown.
  var isEmpty: Bool { lines.current.isEmpty }

  /// The first `count` things that have been shown, in order of their texts, when so many have.
  func shown(_ count: Int) -> [String] {
    for _ in 0..<count { arrivals.wait() }
    return lines.current.sorted()
  }
}

/// What a test expects of each value, as a text.
func texts(_ values: Any...) -> [String] { values.map(text) }

private func text(_ value: Any) -> String {
  guard let result = value as? TaskResult<String> else { return "\(value)" }
  switch result {
  case .success(let page): return page
  case .failure(let error): return "\(error)"
  }
}
