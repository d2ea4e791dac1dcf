import Taskig

func blocking() -> String {
  Task { "Taskig's task" }.await()
}

func asynchronous() async -> String {
  await _Concurrency.Task { "Swift's own task" }.value
}

// snippet.hide
print(blocking())
print(await asynchronous())
