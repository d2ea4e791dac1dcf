import Dispatch
import Taskig
import Testing

@Suite struct SwiftConcurrencyTests {
  @Test func `two run at once, or one in the background`() async throws {
    let screen = Screen()
    let (pair, text, result, shown) = try await withDeadline("at once") {
      let show = screen.show
      let (a, b) = try awaitAll(fetch("a"), fetch("b"))
      let page = fetch("index").start()
      let text = try page.await()
      let result = page.awaitResult()
      Task.async { show("detached") }
      Task.async(executionQueue: .main) { show("on the main actor") }
      return ([a, b], text, result, screen.shown(2))
    }
    #expect(pair == ["page a", "page b"])
    #expect(text == "page index")
    #expect(try result.get() == text)
    #expect(shown == ["detached", "on the main actor"])
  }

  @Test func `a group is a collection`() async throws {
    let (all, first, each) = try await withDeadline("groups") {
      let names = ["a", "b"]
      let all = try names.map(fetch).awaitAll()
      let first = try names.map(fetch).awaitFirst()
      let each = names.map(fetch).awaitAllResults()
      return (all, first, each)
    }
    #expect(all == ["page a", "page b"])
    #expect(all.contains(first))
    #expect(each.compactMap { try? $0.get() } == all)
  }

  @Test func `a continuation is a completion or a source`() async throws {
    let (text, same) = try await withDeadline("continuations") {
      let page = ThrowableTask<String> { load("index", completion: $0) }
      let source = TaskCompletionSource<String>()
      load("index") { source.set($0) }
      return try (page.await(), source.task.await())
    }
    #expect(text == "page index" && same == text)
  }

  @Test func `a task sleeps, or has no more time`() async throws {
    let late = try await withDeadline("sleeping") {
      // Both lines of the page are about sleeping; the second sleep never lasts, since its time is up before.
      try Task.sleep(for: .milliseconds(10))
      return ThrowableTask { try Task.sleep(for: .seconds(60)) }.awaitResult(timeout: .milliseconds(20))
    }
    #expect(throws: TaskigError.timedOut) { try late.get() }
  }

  @Test func `a task is cancelled, can look, and ends what it has started`() async throws {
    let screen = Screen()
    let (result, looked, shown) = try await withDeadline("cancelling") {
      let show = screen.show
      let began = Gate()
      let page = ThrowableTask<String> { completion in
        Task.onCancel { show("ended") }
        Task.onCancel { completion(.failure(CancellableTaskError.taskWasCancelled)) }
        began.open()
      }.start()
      began.pass()
      page.cancel()
      let looking = Gate()
      let busy = ThrowableTask { () -> String in
        looking.open()
        while true {
          if Task.isCancelled { return fallback }
          try Task.checkCancellation()
        }
      }
      Task.async {
        looking.pass()
        busy.cancel()
      }
      return (page.awaitResult(), busy.awaitResult(), screen.shown(1))
    }
    #expect(result.isCancelled)
    #expect((try? looked.get()) == "no page" || looked.isCancelled)
    #expect(shown == ["ended"])
  }

  @Test func `async code awaits a task's value`() async throws {
    let text = try await fetch("index").value
    let result = await fetch("lost").result
    #expect(text == "page index")
    #expect(throws: NotFound.self) { try result.get() }
  }

  @Test func `async code has what tasks result in, as they are done`() async throws {
    let screen = Screen()
    let (names, show) = (["a", "b"], screen.show)
    for try await page in names.map(fetch).asCompleted() { show(page) }
    #expect(screen.shown(2) == ["page a", "page b"])
  }

  @Test func `code that blocks awaits async code`() async throws {
    @Sendable func get(_ name: String) async throws -> String { try await fetch(name).value }
    let text = try await withDeadline("calling async code") {
      let page = try ThrowableTask.awaitAsync { try await get("index") }
      return page
    }
    #expect(text == "page index")
  }

  @Test func `a dictionary of tasks in an actor is a memo`() async throws {
    let (isSame, text) = try await withDeadline("remembering") {
      let memo = TaskMemo<String, String>(keeping: .successes)
      let first = memo.task(for: "index") { fetch("index") }
      let remembered = memo.task(for: "index") { fetch("index") }
      return (first === remembered, try remembered.await())
    }
    #expect(isSame)
    #expect(text == "page index")
  }
}
