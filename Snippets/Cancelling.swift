import Dispatch
import Taskig

let task = ThrowableTask { print("never printed") }
task.cancel()

do {
  try task.await()
} catch CancellableTaskError.taskWasCancelled {
  print("cancelled before it started")
}

// While a task runs, its body can look, and what it awaits ends.
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
  print("cancelled while it ran")
}

// When the time is up, the await ends and the run is cancelled.
do {
  try ThrowableTask { try Task.sleep(for: .seconds(60)) }.await(timeout: .milliseconds(100))
} catch TaskigError.timedOut {
  print("not done in time")
}
