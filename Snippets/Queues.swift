import Dispatch
import Taskig

let database = DispatchQueue(label: "database")

let rows = Task(executionQueue: database) {
  dispatchPrecondition(condition: .onQueue(database))
  return ["first", "second"]
}

print(rows.await())

// In collections too, and the queue stays serial. The shorthands name the system's queues.
let counts = (0..<3).map { n in Task(executionQueue: n == 0 ? .utility : database) { n } }
print(counts.awaitAll())

// Without waiting, now or some seconds later; the handler gets the result.
let heard = DispatchSemaphore(value: 0)
rows.async(delayBy: 0.1) { rows in
  print("later:", rows)
  heard.signal()
}
heard.wait()
