@preconcurrency import Dispatch
import Taskig

/// A task that ends after an hour, and whose timer ends when it is cancelled.
func hour() -> ThrowableTask<Void> {
  ThrowableTask { completion in
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { completion(.success(())) }
    timer.schedule(deadline: .now() + 3600)
    timer.activate()
    Task.onCancel {
      timer.cancel()
      completion(.failure(CancellableTaskError.taskWasCancelled))
    }
  }
}

let pause = hour()
Task.async(delayBy: 0.1) { pause.cancel() }

do {
  try pause.await()
} catch {
  print(error)
}
