import Dispatch
import Taskig
import Testing

@Suite struct FutureKitTests {
  @Test func `a future is a started task, or done from the beginning`() async throws {
    let got = try await withDeadline("starting") {
      let page = ThrowableTask(executionQueue: .background) { try read("index") }.start()
      let done = SharedTask<String>(.success(fallback))
      let failed = SharedTask<String>(.failure(NotFound()))
      return try texts(page.await(), done.await(), failed.awaitResult())
    }
    #expect(got == ["page index", "no page", "NotFound()"])
  }

  @Test func `a promise is a source, with all three ends`() async throws {
    let (first, second, third) = try await withDeadline("promises") { try (succeeded(), failed(), cancelled()) }
    #expect(first == "no page")
    #expect(throws: NotFound.self) { try second.get() }
    #expect(third.isCancelled)
  }

  private func succeeded() throws -> String {
    let source = TaskCompletionSource<String>()
    source.set(fallback)
    let page = source.task
    return try page.await()
  }

  private func failed() -> TaskResult<String> {
    let source = TaskCompletionSource<String>()
    source.set(error: NotFound())
    return source.task.awaitResult()
  }

  private func cancelled() -> TaskResult<String> {
    let source = TaskCompletionSource<String>()
    source.setCancelled()
    return source.task.awaitResult()
  }

  @Test func `what follows sees the value, the error or the completion`() async throws {
    let screen = Screen()
    let got = try await withDeadline("following") {
      let show = screen.show
      let page = fetch("index").start()
      let lost = fetch("lost").start()
      let count = page.map(parse)
      let next = page.flatMap(fetch)
      page.inspect(on: .main) { show($0) }
      let other = lost.mapResult { _ in fallback }
      let another = lost.flatMapResult { _ in fetch("index") }
      lost.async { result in show(result) }
      return try texts(count.await(), next.await(), other.await(), another.await()) + screen.shown(2)
    }
    #expect(got == ["10", "page page index", "no page", "page index", "NotFound()", "page index"])
  }

  @Test func `a batch of futures is one`() async throws {
    let (all, each, both) = try await withDeadline("several") {
      let pages = [fetch("a").start(), fetch("b").start()]
      let all = pages.whenAll()
      let each = pages.whenAllResults()
      let both = pages[0].zip(pages[1])
      return try (all.await(), each.await(), both.await())
    }
    #expect(all == ["page a", "page b"])
    #expect(each.compactMap { try? $0.get() } == all)
    #expect(both == ("page a", "page b"))
  }

  @Test func `a future is delayed, given up, waited for and looked at`() async throws {
    let (isCompleted, delayed, late) = try await withDeadline("states") {
      let page = fetch("index").start()
      page.awaitResult()
      let isCompleted = page.isCompleted
      let delayed = page.delay(for: .milliseconds(10))
      let late = slow().start().timeout(.milliseconds(20))
      return try (isCompleted, delayed.await(), late.awaitResult())
    }
    #expect(isCompleted)
    #expect(delayed == "page index")
    #expect(throws: TaskigError.timedOut) { try late.get() }
  }

  @Test func `a request to cancel reaches the promise`() async throws {
    let screen = Screen()
    let (isCancelled, shown) = try await withDeadline("cancelling") {
      let show = screen.show
      let source = TaskCompletionSource<String>()
      source.onCancel { show("no longer wanted") }
      let page = source.task
      page.cancel()
      return (page.isCancelled, screen.shown(1))
    }
    #expect(isCancelled)
    #expect(shown == ["no longer wanted"])
  }

  @Test func `a cache of futures is a memo`() async throws {
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
