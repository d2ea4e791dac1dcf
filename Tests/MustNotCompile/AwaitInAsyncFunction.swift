// error: Write `await task.value` instead.
// error: Write `try await task.value` instead.
// error: Await the tasks' `value` in a task group instead.
// error: Await each task's `value` with `async let` instead.
import Taskig

func asynchronous() async throws {
  Task { 1 }.await()
  try ThrowableTask { 1 }.await()
  [Task { 1 }].awaitAll()
  let (one, two) = awaitAll(Task { 1 }, Task { "2" })
  print(one, two)
}
