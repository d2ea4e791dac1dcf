import Dispatch
import Taskig
import Testing

@Suite struct GooglePromisesTests {
  @Test func `a promise is a started task, made of work, a callback or by hand`() async throws {
    let got = try await withDeadline("making") {
      let page = ThrowableTask { try read("index") }.start()
      let loaded = ThrowableTask<String> { load("index", completion: $0) }.start()
      let onQueue = ThrowableTask(executionQueue: .utility) { try read("index") }.start()
      let wrapped = ThrowableTask.adapting(load)("index").start()
      return try texts(page.await(), loaded.await(), onQueue.await(), wrapped.await(), fulfilled(), rejected())
    }
    #expect(got.prefix(4).allSatisfy { $0 == "page index" })
    #expect(got.suffix(2) == ["no page", "NotFound()"])
  }

  private func fulfilled() throws -> String {
    let source = TaskCompletionSource<String>()
    source.trySet(fallback)
    return try source.task.await()
  }

  private func rejected() -> TaskResult<String> {
    let source = TaskCompletionSource<String>()
    source.trySet(error: NotFound())
    return source.task.awaitResult()
  }

  @Test func `what follows sees the value, the error or the end`() async throws {
    let screen = Screen()
    let got = try await withDeadline("following") {
      let show = screen.show
      let page = fetch("index").start()
      let lost = fetch("lost").start()
      let count = page.map(parse)
      let next = page.flatMap(fetch)
      page.inspect(on: .main) { show($0) }
      let other = lost.recover { _ in fallback }
      let ended = page.always { show("done") }
      lost.async { result in show(result) }
      return try texts(count.await(), next.await(), other.await(), ended.await()) + screen.shown(3)
    }
    #expect(got.prefix(4) == ["10", "page page index", "no page", "page index"])
    #expect(got.suffix(3) == ["NotFound()", "done", "page index"])
  }

  @Test func `several promises are one`() async throws {
    let (all, both, each, first, total) = try await withDeadline("several") {
      let pages = [fetch("a").start(), fetch("b").start()]
      let all = pages.whenAll()
      let both = fetch("a").start().zip(fetch("b").start())
      let each = [fetch("a").start(), fetch("lost").start()].whenAllResults()
      let first = pages.whenAny()
      let total = try ["a", "b"].reduce(0) { try $0 + parse(fetch($1).await()) }
      return try (all.await(), both.await(), each.await(), first.await(), total)
    }
    #expect(total == 12)
    #expect(all == ["page a", "page b"])
    #expect(both == ("page a", "page b"))
    #expect(each.map { (try? $0.get()) ?? fallback } == ["page a", "no page"])
    #expect(all.contains(first))
  }

  @Test func `time passes, runs out, and other attempts are made`() async throws {
    let (late, delayed, again) = try await withDeadline("time") {
      let page = fetch("index").start()
      let delayed = page.delay(for: .milliseconds(10))
      let late = slow().timeout(.milliseconds(20)).start()
      let fetch = failing(first: 2)
      let again = fetch("index").retry(attempts: 3, backoff: .constant(.milliseconds(1))).start()
      return try (late.awaitResult(), delayed.await(), again.await())
    }
    #expect(throws: TaskigError.timedOut) { try late.get() }
    #expect(delayed == "page index" && again == "page index")
  }

  @Test func `an error may be worth no other attempt`() async throws {
    let result = try await withDeadline("a condition") {
      let fetch = failing(first: 2)
      return fetch("index").retry(attempts: 3, if: { !($0 is NotFound) }).awaitResult()
    }
    #expect(throws: NotFound.self) { try result.get() }
  }

  @Test func `a promise is awaited`() async throws {
    let text = try await withDeadline("awaiting") {
      let text = try fetch("index").await()
      return text
    }
    #expect(text == "page index")
  }
}
