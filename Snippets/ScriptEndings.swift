import Foundation
import Taskig

/// An error that says something to people.
struct NotReady: LocalizedError {
  var errorDescription: String? { "The disk is not ready." }
}

/// An error that does not.
struct Unexpected: Error {
  let number: Int
}

func resize(_ arguments: ArraySlice<String>) throws {
  guard let image = arguments.first else { throw Script.Exit(64, "usage: resize <image>") }
  print("resizing", image)
}

/// Sends this program a signal, as Ctrl-C or `kill` would.
func send(_ signal: Int32) {
  kill(getpid(), signal)
}

/// Waits until the flow has been called off.
func waitForCancellation() {
  while !Task.isCancelled { Thread.sleep(forTimeInterval: 0.001) }
}

/// Each way in which a script can end, by name.
func flow(_ name: String?) throws {
  switch name {
  case "returns": print("all is well")
  case "throws": throw NotReady()
  case "throws another": throw Unexpected(number: 7)
  case "throws one of Foundation's": _ = try String(contentsOfFile: "/no/such/file", encoding: .utf8)
  case "exits": exit(9)
  case "exits with a status": throw Script.Exit(3)
  case "explains its use":
    try resize(CommandLine.arguments.dropFirst(2))
  case "is interrupted", "is terminated":
    defer { print("cleaned up") }
    send(name == "is interrupted" ? SIGINT : SIGTERM)
    try Task.sleep(for: .seconds(60))
  case "is interrupted in many tasks":
    let tasks = (1...100).map { _ in ThrowableTask { try Task.sleep(for: .seconds(60)) } }
    Task.async(delayBy: 0.1) { send(SIGINT) }
    _ = try tasks.awaitAll(concurrency: 100)
  case "returns in spite of a signal":
    send(SIGINT)
    waitForCancellation()
    print("done all the same")
  case "is interrupted twice":
    send(SIGINT)
    waitForCancellation()
    print("the first is not the end")
    send(SIGINT)
    Thread.sleep(forTimeInterval: 60)
  case "cancels itself":
    let task = ThrowableTask { print("never printed") }
    task.cancel()
    try task.await()
  case "reaches the main actor":
    // A semaphore, since the flow knows nothing of Swift's own tasks.
    let done = DispatchSemaphore(value: 0)
    _Concurrency.Task { @MainActor in
      print("on the main actor: \(Thread.isMainThread)")
      done.signal()
    }
    done.wait()
  case "is called off by its own scope":
    try Task.cancelling(on: SIGUSR1) {
      send(SIGUSR1)
      try Task.sleep(for: .seconds(60))
    }
  default: print("It can end in many ways.")
  }
}

Script.run { try flow(CommandLine.arguments.dropFirst().first) }
