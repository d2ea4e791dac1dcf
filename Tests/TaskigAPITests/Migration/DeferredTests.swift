import Dispatch
import Taskig
import Testing

@Suite struct DeferredTests {
  @Test func `a deferred is a source, which the first fills`() async throws {
    let text = try await withDeadline("filling") {
      let source = TaskCompletionSource<String>()
      source.trySet(fallback)
      source.trySet("another page")
      let page = source.task
      return try page.await()
    }
    #expect(text == "no page")
  }

  @Test func `a task is a started task`() async throws {
    let got = try await withDeadline("starting") {
      let page = ThrowableTask(executionQueue: .global()) { try read("index") }.start()
      let done = SharedTask<String>(.success(fallback))
      let failed = SharedTask<String>(.failure(NotFound()))
      return try texts(page.await(), done.await(), failed.awaitResult())
    }
    #expect(got == ["page index", "no page", "NotFound()"])
  }

  @Test func `what follows sees the value, the error or both`() async throws {
    let screen = Screen()
    let got = try await withDeadline("following") {
      let show = screen.show
      let page = fetch("index").start()
      let lost = fetch("lost").start()
      let count = page.map(on: .global(), parse)
      let next = page.flatMap(fetch)
      let other = lost.recover { _ in fallback }
      let another = lost.recover { _ in fetch("index") }
      page.mapResult(on: .main) { result in show(result) }
      return try texts(count.await(), next.await(), other.await(), another.await()) + screen.shown(1)
    }
    #expect(got == ["10", "page page index", "no page", "page index", "page index"])
  }

  @Test func `several tasks are one`() async throws {
    let (both, all, each, first) = try await withDeadline("several") {
      let pages = [fetch("a").start(), fetch("b").start()]
      let both = pages[0].zip(pages[1])
      let all = pages.whenAll()
      let each = pages.whenAllResults()
      let first = pages.whenAny()
      return try (both.await(), all.await(), each.await(), first.await())
    }
    #expect(both == ("page a", "page b"))
    #expect(all == ["page a", "page b"])
    #expect(each.compactMap { try? $0.get() } == all)
    #expect(all.contains(first))
  }

  @Test func `a task is started again, waited for, looked at and cancelled`() async throws {
    let (again, text, inTime, isCompleted, isCancelled, peeked) = try await withDeadline("states") {
      let page = fetch("index").start()
      let text = try page.await()
      let inTime = try page.await(timeout: .seconds(30))
      let isCompleted = page.isCompleted
      let peeked = page.outcome
      let late = slow().start()
      late.cancel()
      let fetch = failing(first: 2)
      let again = fetch("index").retry(attempts: 3).start()
      return try (again.await(), text, inTime, isCompleted, late.isCancelled, try? peeked?.get())
    }
    #expect([again, text, inTime, peeked].allSatisfy { $0 == "page index" })
    #expect(isCompleted && isCancelled)
  }
}
