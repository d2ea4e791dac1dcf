import Dispatch
import Taskig
import Testing

@Suite struct BrightFuturesTests {
  @Test func `a future is a started task, made of work, a callback or what there is`() async throws {
    let got = try await withDeadline("making") {
      let page = ThrowableTask<String> { load("index", completion: $0) }.start()
      let worked = Task(executionQueue: .global()) { fallback }.start()
      let done = SharedTask<String>(.success(fallback))
      let failed = SharedTask<String>(.failure(NotFound()))
      let adapted = ThrowableTask.adapting(load)("index").start()
      return try texts(page.await(), worked.await(), done.await(), failed.awaitResult(), adapted.await())
    }
    #expect(got == ["page index", "no page", "no page", "NotFound()", "page index"])
  }

  @Test func `a promise is a source, and its future the source's task`() async throws {
    let got = try await withDeadline("promises") { try texts(succeeded(), failed()) }
    #expect(got == ["no page", "NotFound()"])
  }

  private func succeeded() throws -> String {
    let source = TaskCompletionSource<String>()
    let page = source.task
    source.set(fallback)
    source.trySet("another page")
    return try page.await()
  }

  private func failed() -> TaskResult<String> {
    let source = TaskCompletionSource<String>()
    source.set(error: NotFound())
    return source.task.awaitResult()
  }

  @Test func `what follows sees the value, the error or both`() async throws {
    let screen = Screen()
    let got = try await withDeadline("following") {
      let show = screen.show
      let page = fetch("index").start()
      let lost = fetch("lost").start()
      let count = page.map(parse)
      let next = page.flatMap(fetch)
      let other = lost.recover { _ in fallback }
      let another = lost.recover { _ in fetch("index") }
      let renamed = lost.mapError { _ in Offline() }
      page.inspect(on: .main) { show($0) }
      page.async { result in show(result) }
      let same = page.inspect { show($0) }
      let ends = try texts(count.await(), next.await(), other.await(), another.await(), renamed.awaitResult())
      return try ends + texts(same.await()) + screen.shown(3)
    }
    #expect(got.prefix(4) == ["10", "page page index", "no page", "page index"])
    #expect(got.suffix(5) == ["Offline()", "page index", "page index", "page index", "page index"])
  }

  @Test func `several futures are one`() async throws {
    let (all, both, traversed, first, total) = try await withDeadline("several") {
      let pages = [fetch("a").start(), fetch("b").start()]
      let all = pages.whenAll()
      let both = pages[0].zip(pages[1])
      let traversed = ["a", "b"].map(fetch).whenAll().start()
      let first = pages.whenAny()
      let total = pages.whenAll().map { $0.reduce(0) { $0 + $1.count } }
      return try (all.await(), both.await(), traversed.await(), first.await(), total.await())
    }
    #expect(total == 12)
    #expect(all == ["page a", "page b"])
    #expect(both == ("page a", "page b"))
    #expect(traversed == all)
    #expect(all.contains(first))
  }

  @Test func `a future is delayed, forced and looked at`() async throws {
    let screen = Screen()
    let (forced, inTime, isCompleted, delayed, shown) = try await withDeadline("forcing") {
      let show = screen.show
      let page = fetch("index").start()
      let forced = page.awaitResult()
      let inTime = page.awaitResult(timeout: .seconds(30))
      let delayed = page.delay(for: .milliseconds(10))
      let isCompleted = page.isCompleted
      if let text = try? page.outcome?.get() { show(text) }
      return try (forced.get(), inTime.get(), isCompleted, delayed.await(), screen.shown(1))
    }
    #expect(forced == "page index" && inTime == forced && delayed == forced)
    #expect(isCompleted)
    #expect(shown == ["page index"])
  }

  @Test func `who does not want the value any more leaves the future to the others`() async throws {
    let (mine, text) = try await withDeadline("invalidating") {
      let source = TaskCompletionSource<String>()
      let page = source.task
      let mine = ThrowableTask { try page.await() }.start()
      mine.cancel()
      source.set(fallback)
      return try (mine.awaitResult(), page.await())
    }
    #expect(mine.isCancelled)
    #expect(text == "no page")
  }

  @Test func `async code awaits the value`() async throws {
    let page = fetch("index").start()
    let text = try await page.value
    #expect(text == "page index")
  }
}
