@preconcurrency import Dispatch
import Foundation
import Taskig

let database = DispatchQueue(label: "database")
let accounts = DispatchQueue(label: "accounts")
let orders = DispatchQueue(label: "orders")

func makeTitle() -> String { "Main thread: \(Thread.isMainThread)" }

// The code is on the main thread already: call it.
print(makeTitle())

// Code that does not know which thread it is on stands in a task.
let title = Task {
  Task(executionQueue: .main) { makeTitle() }.await()
}
print(title.await())

// The main thread waits. Through a queue and another thread, the work comes back to it.
let through = Task(executionQueue: database) {
  Task<String> { completion in
    Task { Task(executionQueue: .main) { makeTitle() }.await() }.async { completion($0) }
  }.await()
}
print("through a queue:", through.await())

/// Rows that only code on `database` touches.
final class Store: @unchecked Sendable {
  var rows = ["first", "second", "third"]
}

let store = Store()
let clear = Task(executionQueue: database) { store.rows.removeLast(2) }

// What was read before an await is read again after it.
let last = Task(executionQueue: database) {
  Task { clear.await() }.await()
  return store.rows.last
}
print("last:", last.await() ?? "none")

let balance = Task(executionQueue: accounts) {
  Thread.sleep(forTimeInterval: 0.1)
  return Task(executionQueue: orders) { "an order" }.await()
}
let bill = Task(executionQueue: orders) {
  Thread.sleep(forTimeInterval: 0.1)
  return Task(executionQueue: accounts) { "an account" }.await()
}

// Each holds the queue that the other waits for.
print([balance, bill].awaitAll())

// The outer task names no queue, so that it holds none while it waits.
let quick = Task {
  let order = Task(executionQueue: orders) { "an order" }.await()
  let account = Task(executionQueue: accounts) { "an account" }.await()
  return [account, order]
}
print(quick.await())

// What the action hands on with `async(completion:)` is a part of the await.
let handedOn = Task<String> { completion in
  Task(executionQueue: .main) { makeTitle() }.async { completion($0) }
}
print("handed on:", handedOn.await())

// Each step is started by the one before, and all of them are parts of the await.
let steps = Task<String> { completion in
  Task(executionQueue: database) { store.rows[0] }.async { row in
    Task(executionQueue: .main) { "\(row), \(makeTitle())" }.async { completion($0) }
  }
}
print("in steps:", steps.await())

let archive = DispatchQueue(label: "archive", target: database)

// Nobody holds `database` while this waits for the queue that targets it.
let archived = Task {
  let row = Task(executionQueue: database) { store.rows[0] }.await()
  return Task(executionQueue: archive) { "archived: \(row)" }.await()
}
print(archived.await())

// Tasks that name no queue nest as deeply as you like.
@Sendable func depth(_ level: Int) -> Int {
  level == 0 ? 0 : 1 + Task { depth(level - 1) }.await()
}
print(depth(100_000))

// Each of the outer tasks fills the only place there is, and awaits more under a limit of one.
let table = (1...3).map { row in
  Task { (1...3).map { column in Task { row * column } }.awaitAll(concurrency: 1) }
}
print(table.awaitAll(concurrency: 1))

struct NoRows: Error {}

// Each path calls the completion, once.
let count = ThrowableTask<Int> { completion in
  database.async {
    guard !store.rows.isEmpty else { return completion(.failure(NoRows())) }
    completion(.success(store.rows.count))
  }
}
print("rows:", try count.await())

let lock = NSLock()
nonisolated(unsafe) var cached = "none"

// The lock is held for the access alone, not for the await.
let fresh = Task(executionQueue: database) { store.rows[0] }.await()
lock.withLock { cached = fresh }
print("cached:", cached)
