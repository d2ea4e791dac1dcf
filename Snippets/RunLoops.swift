import Foundation
import Taskig

/// Counts what the run loop does meanwhile.
@MainActor final class Clock {
  /// Signalled with each tick.
  nonisolated static let ticked = DispatchSemaphore(value: 0)
  private(set) var ticks = 0
  private var timer: Timer?

  func start() {
    timer = Timer.scheduledTimer(withTimeInterval: 0.005, repeats: true) { _ in
      MainActor.assumeIsolated { self.ticks += 1 }
      Clock.ticked.signal()
    }
  }
}

/// What takes a while: three more ticks of the clock, which there are only if the run loop goes on.
@Sendable func load() -> String {
  while Clock.ticked.wait(timeout: .now()) == .success {}
  for _ in 1...3 { Clock.ticked.wait() }
  return "the page"
}

let clock = Clock()
clock.start()

// The main thread waits, and its run loop goes on: the timer fires meanwhile.
let page = Task { load() }.awaitInRunLoop()
print(page, clock.ticks > 2)

// A callback on the main queue gets through.
let answer = Task<Int> { finish in
  DispatchQueue.main.async { finish(42) }
}.awaitInRunLoop()
print(answer)

// So does a task of the main queue itself.
print(Task(executionQueue: .main) { Thread.isMainThread }.awaitInRunLoop())

// Not longer than that: `nil`, or an error.
let never = Task<Int> { finish in
  DispatchQueue.global().asyncAfter(deadline: .now() + 60) { finish(1) }
}
print(never.awaitInRunLoop(timeout: .milliseconds(20)) as Any)
do {
  try ThrowableTask.delay(for: .seconds(60)).awaitInRunLoop(timeout: .milliseconds(20))
} catch TaskigError.timedOut {
  print("not done in time")
}

// Until something holds.
let isDone = try Task.awaitInRunLoop(until: { clock.ticks > 30 }, timeout: .seconds(5))
print(isDone)

// In the middle of another: the inner one ends first.
DispatchQueue.main.async { print("inner:", Task { load() }.awaitInRunLoop()) }
print("outer:", Task { load() }.awaitInRunLoop())
