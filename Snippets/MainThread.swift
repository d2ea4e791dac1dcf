import Dispatch
import Foundation
import Taskig

let window = DispatchQueue(label: "window")

// The main thread waits for the outer task, which waits for work on the main thread. It is lent for that: no deadlock.
let onMain = Task(executionQueue: window) {
  Task(executionQueue: .main) { Thread.isMainThread }.await()
}.await()

print(onMain)
