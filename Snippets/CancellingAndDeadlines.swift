import Foundation
import Taskig

/// Counts until somebody calls it off.
let counting = ThrowableTask { () -> Int in
  var number = 0
  while true {
    try Task.checkCancellation()
    number += 1
  }
}
Task.async(delayBy: 0.1) { counting.cancel() }

do {
  print(try counting.await())
} catch CancellableTaskError.taskWasCancelled {
  print("counting was cancelled")
}

// A body that has something to give all the same asks instead of throwing.
let collecting = ThrowableTask { () -> String in
  while !Task.isCancelled { Thread.sleep(forTimeInterval: 0.01) }
  return "what there was"
}
Task.async(delayBy: 3) { collecting.cancel() }
print(try collecting.await())

// What a cancelled body awaits in a plain task still runs: the place for what must be done in any case.
let copying = ThrowableTask {
  defer { Task { print("the copy is removed") }.await() }
  try Task.sleep(for: .seconds(60))
}
Task.async(delayBy: 3) { copying.cancel() }
copying.awaitResult()

let slow = ThrowableTask { try Task.sleep(for: .seconds(60)) }

do {
  try slow.await(timeout: .milliseconds(100))
} catch TaskigError.timedOut {
  print("not done in time")
}

// A plain task has no error to end with: it gives `nil`.
let lateAnswer = Task { () -> Int in
  Thread.sleep(forTimeInterval: 4)
  return 42
}
print(lateAnswer.await(timeout: .milliseconds(100)) as Any)

// For all of them together; what is there by then, and what is not.
let pauses = [0.0, 0.05, 60].map { seconds in
  ThrowableTask { () -> Double in
    Thread.sleep(forTimeInterval: seconds)
    return seconds
  }
}
for result in pauses.awaitAllResults(timeout: .seconds(5)) {
  switch result {
  case .success(let seconds): print("slept", seconds)
  case .failure(let error): print(error as? TaskigError == .timedOut ? "timed out" : "failed")
  }
}

struct Down: Error {}

let mirrors: [ThrowableTask<String>] = [
  ThrowableTask { throw Down() },
  ThrowableTask {
    try Task.sleep(for: .milliseconds(50))
    return "the second mirror"
  },
  ThrowableTask {
    try Task.sleep(for: .seconds(60))
    return "the third mirror"
  },
]
print(try mirrors.awaitFirstSuccess())

do {
  print(try ["a": mirrors[0], "b": mirrors[0]].awaitFirstSuccess())
} catch let error as AggregateError<String> {
  print(error.errors.keys.sorted(), "are down")
}

// Results of different types, each in its place; the second is cancelled when the first fails.
do {
  let (text, pause): (String, Void) = try awaitAll(mirrors[0], slow)
  print(text, pause)
} catch is Down {
  print("one is down, the other is called off")
}

/// The same as `task`: an action that starts another task, and calls it off when its own run is called off.
func forwarding(_ task: ThrowableTask<String>) -> ThrowableTask<String> {
  ThrowableTask { completion in
    Task.onCancel { task.cancel() }
    task.async { completion($0) }
  }
}

let forwarded = forwarding(mirrors[2])
Task.async(delayBy: 3) { forwarded.cancel() }
forwarded.awaitResult()
print("the third mirror is called off:", mirrors[2].isCancelled)
