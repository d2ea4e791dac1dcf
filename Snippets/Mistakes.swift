@preconcurrency import Dispatch
import Foundation
import Taskig

// Each function is code not to write. What hangs is run under a deadline; what would stop the program is not run.

// Do not write this. On the main thread, it stops the program.
func mainAwaitsMain() -> String {
  Task(executionQueue: .main) { "Title" }.await()
}

// Do not write this. The global queue's block is no part of the await, so the thread that holds `database` is not lent.
func handOnToDispatch() -> Int {
  let database = DispatchQueue(label: "database")
  return Task(executionQueue: database) {
    Task<Int> { completion in
      DispatchQueue.global().async {
        completion(Task(executionQueue: database) { 1 }.await())
      }
    }.await()
  }.await()
}

// Do not write this. Nobody waits for what is started without a completion, whatever it calls later.
func handOnWithoutCompletion() -> Int {
  let database = DispatchQueue(label: "database")
  return Task(executionQueue: database) {
    Task<Int> { completion in
      Task.async { completion(Task(executionQueue: database) { 1 }.await()) }
    }.await()
  }.await()
}

// Do not write this. `archive` targets `database`, which this task holds while it waits.
func awaitTargetingQueue() -> Int {
  let database = DispatchQueue(label: "database")
  let archive = DispatchQueue(label: "archive", target: database)
  return Task(executionQueue: database) {
    Task(executionQueue: archive) { 1 }.await()
  }.await()
}

// Do not write this. The first task fills the only place and waits for the second, which gets none.
func waitForOneAnother() {
  let ready = DispatchSemaphore(value: 0)
  let tasks = [Task { ready.wait() }, Task<Void> { ready.signal() }]
  tasks.awaitAll(concurrency: 1)
}

// Do not write this. The work needs the lock that the thread holds which waits for it.
func awaitUnderLock() -> Int {
  let database = DispatchQueue(label: "database")
  let lock = NSLock()
  return lock.withLock {
    Task(executionQueue: database) { lock.withLock { 1 } }.await()
  }
}

// Do not write this. When there is nothing to do, nobody calls the completion.
func forgetCompletion(_ number: Int?) -> ThrowableTask<Int> {
  ThrowableTask { completion in
    guard let number else { return }
    completion(.success(number))
  }
}

// Do not write this. After a failure the completion is called a second time.
func completeTwice(_ number: Int?) -> ThrowableTask<Int> {
  ThrowableTask { completion in
    if number == nil { completion(.failure(CocoaError(.featureUnsupported))) }
    completion(.success(number ?? 0))
  }
}

// Do not write this on the main thread. It waits for a block of the main queue, which only it could run.
func mainAwaitsCallback() -> Int {
  Task<Int> { completion in
    DispatchQueue.main.async { completion(1) }
  }.await()
}

// Do not count on this deadline. Only the thread that holds `database` can run the action, and that one waits.
func deadlineOnOwnQueue() -> Int? {
  let database = DispatchQueue(label: "database")
  return Task(executionQueue: database) {
    let slow = Task(executionQueue: database) { () -> Int in
      Thread.sleep(forTimeInterval: 0.5)
      return 1
    }
    return slow.await(timeout: .milliseconds(100))
  }.await()
}

// Do not write this. The await is a point at which others get the queue, and `rows` may be shorter after it.
func keepIndexAcrossAwait() -> String? {
  let database = DispatchQueue(label: "database")
  nonisolated(unsafe) var rows = ["first", "second", "third"]
  let clear = Task(executionQueue: database) { rows.removeAll() }
  return Task(executionQueue: database) { () -> String? in
    let last = rows.count - 1
    Task { clear.await() }.await()
    return rows.indices.contains(last) ? rows[last] : nil
  }.await()
}

// Do not write this. Each level needs the stack of the thread that is on `database`. Deep down, it stops the program.
@Sendable func descend(_ level: Int, on database: DispatchQueue) -> Int {
  level == 0 ? 0 : 1 + Task(executionQueue: database) { descend(level - 1, on: database) }.await()
}

// snippet.hide
/// Says whether `mistake` hangs; the threads that it blocks stay blocked.
func tryOut(_ name: String, _ mistake: @escaping @Sendable () -> Void) {
  let end: Void? = Task { mistake() }.await(timeout: .milliseconds(300))
  print(name, end == nil ? "hangs" : "ends")
}

TaskigSettings.reportHandler = { report in
  if case .completedTwice = report { print("completed twice") }
}
tryOut("handOnToDispatch") { _ = handOnToDispatch() }
tryOut("handOnWithoutCompletion") { _ = handOnWithoutCompletion() }
tryOut("awaitTargetingQueue") { _ = awaitTargetingQueue() }
tryOut("waitForOneAnother", waitForOneAnother)
tryOut("awaitUnderLock") { _ = awaitUnderLock() }
if case .failure(TaskigError.neverCompleted) = forgetCompletion(nil).awaitResult() { print("never completed") }
if case .failure = completeTwice(nil).awaitResult() { print("the first call counts") }
let start = ContinuousClock.now
print(deadlineOnOwnQueue() as Any, ContinuousClock.now - start > .milliseconds(400) ? "and late" : "in time")
print(keepIndexAcrossAwait() ?? "no such row")
print(descend(100, on: DispatchQueue(label: "database")))
Task.async(delayBy: 0.3) {
  print("mainAwaitsCallback hangs")
  exit(0)
}
print("mainAwaitsCallback ends:", mainAwaitsCallback())
