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
let told = DispatchSemaphore(value: 0)
inside.async { result in
  print("cancelled inside:", result.isCancelled)
  told.signal()
}

func waitForThePage() throws -> String {
  try ThrowableTask.delay(for: .seconds(60)).await()
  return "the page"
}

inside.cancel()
told.wait()

enum Request {
  @TaskLocal static var number = 0
}

print("request", Request.$number.withValue(7) { Task.awaitAsync { Request.number } })
