import Foundation
import Taskig

/// A timer of Foundation's, which needs the main run loop.
let timer = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: false) { _ in print("the timer fires") }

@MainActor func show(_ line: String) {
  print(line, "on the main thread: \(Thread.isMainThread)")
}

func flow() throws {
  let words = try ThrowableTask { try String(contentsOfFile: "/etc/passwd", encoding: .utf8).split(separator: " ") }
    .await()
  // The main thread is free, and serves whatever needs it.
  Task(executionQueue: .main) { MainActor.assumeIsolated { show("words: \(words.count > 0)") } }.await()
  try Task.sleep(for: .milliseconds(200))
}

Script.run { try flow() }
