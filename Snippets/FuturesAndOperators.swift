import Foundation
import Taskig

struct NotFound: Error {}

/// The task of fetching a page; there is none called “lost”.
func fetch(_ name: String) -> ThrowableTask<String> {
  ThrowableTask {
    print("fetching \(name)")
    if name == "lost" { throw NotFound() }
    return "page \(name)"
  }
}

// Cold: each await fetches the page again.
let cold = fetch("cold")
print(try cold.await(), try cold.await())

// Shared: it is fetched once, now, for all who ask.
let shared = fetch("shared").start()
print(try shared.await(), try shared.await())

// What follows a cold task is cold, and what follows a shared one is shared.
let length = cold.map { $0.count }
let sharedLength = shared.map { $0.count }
print(try length.await(), try sharedLength.await())

// How far a shared task is, without waiting for it.
switch shared.state {
case .pending: print("not done")
case .success(let page): print("done:", page)
case .failure(let error): print("failed:", error)
case .cancelled: print("cancelled")
}

// Done from the beginning.
let known = SharedTask<String>(.success("a page that is there already"))
print(known.isCompleted, try known.await())

/// Asks a question; the answer comes from who knows where.
func ask(_ question: String) -> SharedTask<String> {
  let source = TaskCompletionSource<String>()
  let elsewhere = ThrowableTask.delay(for: .seconds(4)).start()
  elsewhere.async { end in source.set(end.map { "an answer to \(question)" }) }
  source.onCancel { elsewhere.cancel() }
  return source.task
}

print(try ask("this").await())

// Where several may bring the outcome, the first does.
let race = TaskCompletionSource<Int>()
print(race.trySet(1), race.trySet(2), try race.task.await())

/// The length of a page, or of the page that stands in for it.
func lengthOrLess(of name: String) -> ThrowableTask<Int> {
  fetch(name)
    .recover { _ in fetch("fallback") }
    .map { page in page.count }
    .always { print("done with \(name)") }
}

print(try lengthOrLess(of: "lost").await())

// `mapResult` sees success, failure and cancellation alike.
let described = fetch("lost").mapResult { result -> String in
  switch result {
  case .success(let page): page
  case .failure(let error): result.isCancelled ? "cancelled" : "\(error)"
  }
}
print(try described.await())

let database = DispatchQueue(label: "database")

// The page is fetched wherever is cheapest, and stored on the queue.
let stored = fetch("stored").map(on: database) { page in
  dispatchPrecondition(condition: .onQueue(database))
  return "\(page) is stored"
}
print(try stored.await())

// Closures may block. An await in one is often shorter than a chain.
let both = fetch("first").map { first in
  let second = try fetch("second").await()
  return "\(first) and \(second)"
}
print(try both.await())

// Cancelling what follows a shared task cancels that task, for all.
let question = ask("that")
let answer = question.map { $0.uppercased() }
answer.cancel()
print(question.isCancelled, answer.isCancelled)

// Await it in a task of your own to give up your part only.
let other = ask("the other")
let mine = ThrowableTask { try other.await() }.start()
mine.cancel()
print(mine.isCancelled, other.isCancelled)

// All pages, at most two at a time, or the first failure; nothing runs until it is awaited.
let all = ["a", "b", "c"].map(fetch).whenAll(concurrency: 2)
print(try all.map { $0.joined(separator: ", ") }.await())

// The first that succeeds; the others are cancelled.
let mirrors = [ThrowableTask.delay(for: .seconds(60)).map { "slow" }, ThrowableTask { "fast" }]
print(try mirrors.whenAnySuccess().await())

// Two of different types.
let (page, number) = try fetch("zipped").zip(ThrowableTask { 42 }).await()
print(page, number)

// All errors instead of the first.
do {
  _ = try ["lost", "a", "lost"].map(fetch).whenAllResults().map { try $0.values() }.await()
} catch let error as AggregateError<Int> {
  print(error.errors.keys.sorted(), "are lost")
}

/// Fails the first two times.
let attempts = TaskMemo<Int, Int>(keeping: .successes)
let moody = ThrowableTask { () -> String in
  for attempt in 1...2 where attempts.removeTask(for: attempt) != nil { throw NotFound() }
  return "at last"
}
for attempt in 1...2 { try attempts.task(for: attempt) { Task { attempt } }.await() }

// Up to five attempts, with longer and longer pauses, but only for an error that may go away.
let patient = moody.retry(
  attempts: 5, backoff: .exponential(from: .milliseconds(1), upTo: .milliseconds(20)),
  if: { $0 is NotFound })
print(try patient.await())

// No attempt may take longer than a minute, and all together no longer than five.
let bounded = moody.timeout(.seconds(60)).retry(attempts: 5).timeout(.seconds(300))
print(try bounded.await())

// A plain task has no error to end with: it results in `nil`.
print(Task { Thread.sleep(forTimeInterval: 4) }.timeout(.milliseconds(10)).await() == nil)

let pages = TaskMemo<String, String>(keeping: .successes)

/// The page, which is fetched once, however many ask for it at once.
func remembered(_ name: String) -> SharedTask<String> {
  pages.task(for: name) { fetch(name) }
}

print(try remembered("memo").await(), try remembered("memo").await())
pages.removeTask(for: "memo")

/// A callback function, as frameworks have them.
func load(_ name: String, attempts: Int, completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
  DispatchQueue.global().async {
    name == "lost" ? completion(nil, NotFound()) : completion("\(name), loaded", nil)
  }
}

let loaded = ThrowableTask.adapting(load)
print(try loaded("index", 3).map { $0.uppercased() }.await())

// Do not write this. Both awaits run the whole chain, so the page is fetched twice.
func fetchTwice() throws -> (String, Int) {
  let page = fetch("twice")
  let length = page.map { $0.count }
  return (try page.await(), try length.await())
}

print(try fetchTwice())

func fetchOnce() throws -> (String, Int) {
  let page = fetch("once").start()
  let length = page.map { $0.count }
  return (try page.await(), try length.await())
}

print(try fetchOnce())

// Do not write this. On every path the source must be set, and here nobody sets it when there is no page.
func forgetSource(_ name: String?) -> SharedTask<String> {
  let source = TaskCompletionSource<String>()
  if let name { fetch(name).async { source.set($0) } }
  return source.task
}

if case .failure(TaskigError.neverCompleted) = forgetSource(nil).awaitResult() { print("never completed") }

// Do not write this. The second outcome would be lost, so it stops the program; write `trySet` if both are right.
func setTwice(_ source: TaskCompletionSource<Int>) {
  source.set(1)
  source.set(2)
}

// Do not write this. The task waits for itself, which stops the program.
func awaitItself() {
  let source = TaskCompletionSource<SharedTask<Int>>()
  let circle = ThrowableTask { try source.task.await().await() }.start()
  source.set(circle)
  circle.awaitResult()
}

// Do not write this. `retry` cannot know that the error is final, and asks five times.
func askInVain() -> TaskResult<String> {
  fetch("lost").retry(attempts: 5).awaitResult()
}

// Do not write this. An error is thrown away without a word.
func startAndForget() {
  fetch("lost").async()
}

func startAndReport() {
  fetch("lost").async { result in
    if case .failure(let error) = result { print("no page: \(error)") }
  }
}
