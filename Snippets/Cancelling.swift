import Taskig

var task = ThrowableTask { print("never printed") }
task.isCancelled = true

do {
  try task.await()
} catch CancellableTaskError.taskWasCancelled {
  print("cancelled before it started")
}
