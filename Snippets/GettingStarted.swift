import Foundation
import Taskig

// snippet.hide
/// What has been printed: the end of the program must not come before that.
enum Said {
  static let line = DispatchSemaphore(value: 0)
}

func print(_ items: Any...) {
  Swift.print(items.map { "\($0)" }.joined(separator: " "))
  Said.line.signal()
}
// snippet.show

// A task says what to do. `await` does it, blocks until it is done and hands you the value.
let answer = Task { 6 * 7 }.await()

// A callback function becomes a task too, and reads top to bottom.
let greeting = Task<String> { completion in
  DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { completion("Hello") }
}.await()

// Not everything has to be waited for.
Task.async { print("from the background") }

// Many at once, at most five in flight, results in order.
let squares = (1...100).map { n in Task { n * n } }.awaitAll(concurrency: 5)

// The first of several.
let fastest = [3, 0.1, 2].map { seconds in
  Task {
    Thread.sleep(forTimeInterval: seconds)
    return seconds
  }
}.awaitFirst()

// What may fail is a ThrowableTask, and its errors are thrown.
do {
  try ThrowableTask { try String(contentsOfFile: "/no/such/file", encoding: .utf8) }.await()
} catch {
  print("That file is not there.")
}

print(greeting, answer, squares.count, fastest)

// snippet.hide
for _ in 1...3 { Said.line.wait() }
