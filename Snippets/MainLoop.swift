import Dispatch
import Foundation
import Taskig

TaskigSettings.forbidsBlockingMainThread = true

// The main thread serves the main queue, and the work awaits on other threads.
Task.async {
  let callback = Task<String> { completion in
    DispatchQueue.main.async { completion("a callback on the main queue") }
  }
  print(callback.await())
  print(Task(executionQueue: .main) { "a task of the main queue" }.await())
  exit(0)
}
RunLoop.main.run()
