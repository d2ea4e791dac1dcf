import Dispatch
import Taskig
import Testing

@Suite struct PromiseKitTests {
  @Test func `a promise is a task, made of a callback, a value or an error`() async throws {
    let got = try await withDeadline("making") {
      let page = ThrowableTask<String> { load("index", completion: $0) }
      let done = Task { fallback }
      let failed = ThrowableTask<String> { throw NotFound() }
      let started = ThrowableTask { try read("index") }.start()
      let adapted = ThrowableTask.adapting(load)
      return try texts(
        page.await(), done.await(), failed.awaitResult(), started.await(), adapted("index").await())
    }
    #expect(got == ["page index", "no page", "NotFound()", "page index", "page index"])
  }

  @Test func `a pending promise is a source, which is resolved by hand`() async throws {
    let got = try await withDeadline("resolving") { try texts(fulfilled(), rejected()) }
    #expect(got == ["no page", "NotFound()"])
  }

  private func fulfilled() throws -> String {
    let source = TaskCompletionSource<String>()
    source.set(fallback)
    return try source.task.await()
  }

  private func rejected() -> TaskResult<String> {
    let source = TaskCompletionSource<String>()
    source.set(error: NotFound())
    return source.task.awaitResult()
  }

  @Test func `what follows sees the value, the error or the end`() async throws {
    let screen = Screen()
    let got = try await withDeadline("following") {
      let show = screen.show
      let count = fetch("index").map(parse)
      let next = fetch("index").flatMap(fetch)
      let other = fetch("lost").recover { _ in fallback }
      let another = fetch("lost").recover { _ in fetch("index") }
      let seen = fetch("index").inspect { show($0) }
      let ended = fetch("index").always { show("done") }
      fetch("index").inspect(on: .main) { show($0) }.async()
      fetch("lost").async { result in show(result) }
      let ends = try texts(count.await(), next.await(), other.await(), another.await(), ended.await(), seen.await())
      return ends + screen.shown(4)
    }
    #expect(got.prefix(6) == ["10", "page page index", "no page", "page index", "page index", "page index"])
    #expect(got.suffix(4) == ["NotFound()", "done", "page index", "page index"])
  }

  @Test func `several promises are one`() async throws {
    let (all, both, each, limited, first) = try await withDeadline("several") {
      let all = ["a", "b"].map(fetch).whenAll()
      let both = fetch("a").zip(fetch("b"))
      let each = ["a", "lost"].map(fetch).whenAllResults()
      let limited = ["a", "b"].map(fetch).whenAll(concurrency: 1)
      let first = ["a", "b"].map(fetch).whenAny()
      return try (all.await(), both.await(), each.await(), limited.await(), first.await())
    }
    #expect(all == ["page a", "page b"])
    #expect(both == ("page a", "page b"))
    #expect(each.map { (try? $0.get()) ?? fallback } == ["page a", "no page"])
    #expect(limited == all)
    #expect(all.contains(first))
  }

  @Test func `time passes, runs out, and another attempt is made`() async throws {
    let (late, again) = try await withDeadline("time") {
      let pause = ThrowableTask.delay(for: .milliseconds(10))
      try pause.await()
      let late = slow().timeout(.milliseconds(20))
      let fetch = failing(first: 2)
      let again = fetch("index").retry(attempts: 3, backoff: .constant(.milliseconds(1)))
      return try (late.awaitResult(), again.await())
    }
    #expect(throws: TaskigError.timedOut) { try late.get() }
    #expect(again == "page index")
  }

  @Test func `a promise is waited for, looked at and cancelled`() async throws {
    let screen = Screen()
    let (text, isCompleted, shown) = try await withDeadline("states") {
      let show = screen.show
      let page = fetch("index").start()
      let text = try page.await()
      let isCompleted = page.isCompleted
      if let text = try? page.outcome?.get() { show(text) }
      let late = slow().start()
      late.cancel()
      if late.awaitResult().isCancelled { show("cancelled") }
      return (text, isCompleted, screen.shown(2))
    }
    #expect(text == "page index" && isCompleted)
    #expect(shown == ["cancelled", "page index"])
  }

  @Test func `async code awaits the value`() async throws {
    let text = try await fetch("index").value
    #expect(text == "page index")
  }

  @Test func `a promise that is kept in a dictionary is remembered`() async throws {
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
