import Dispatch
import Taskig
import Testing

@Suite struct ThenTests {
  @Test func `a promise is a task, made of a callback or what there is`() async throws {
    let got = try await withDeadline("making") {
      let page = ThrowableTask<String> { load("index", completion: $0) }
      let done = Task { fallback }
      let failed = ThrowableTask<String> { throw NotFound() }
      return try texts(page.await(), done.await(), failed.awaitResult())
    }
    #expect(got == ["page index", "no page", "NotFound()"])
  }

  @Test func `what follows sees the value, the error or the end`() async throws {
    let screen = Screen()
    let got = try await withDeadline("following") {
      let show = screen.show
      let count = fetch("index").map(parse)
      let next = fetch("index").flatMap(fetch)
      let other = fetch("lost").recover { _ in fallback }
      let another = fetch("lost").recover { _ in fetch("index") }
      let renamed = fetch("lost").mapError { _ in Offline() }
      let seen = fetch("index").inspect { show($0) }
      let ended = fetch("index").always { show("done") }
      fetch("lost").async { result in show(result) }
      let ends = try texts(count.await(), next.await(), other.await(), another.await(), renamed.awaitResult())
      return try ends + texts(ended.await(), seen.await()) + screen.shown(3)
    }
    #expect(got.prefix(4) == ["10", "page page index", "no page", "page index"])
    #expect(got.suffix(6) == ["Offline()", "page index", "page index", "NotFound()", "done", "page index"])
  }

  @Test func `several promises are one`() async throws {
    let (all, first, both) = try await withDeadline("several") {
      let all = ["a", "b"].map(fetch).whenAll()
      let first = ["a", "b"].map(fetch).whenAny()
      let both = fetch("a").zip(fetch("b"))
      return try (all.await(), first.await(), both.await())
    }
    #expect(all == ["page a", "page b"])
    #expect(all.contains(first))
    #expect(both == ("page a", "page b"))
  }

  @Test func `time passes, runs out, and other attempts are made`() async throws {
    let (delayed, late, again) = try await withDeadline("time") {
      let pause = ThrowableTask.delay(for: .milliseconds(10))
      try pause.await()
      let delayed = fetch("index").delay(for: .milliseconds(10))
      let late = slow().timeout(.milliseconds(20))
      let fetch = failing(first: 2)
      let again = fetch("index").retry(attempts: 3)
      return try (delayed.await(), late.awaitResult(), again.await())
    }
    #expect(delayed == "page index" && again == "page index")
    #expect(throws: TaskigError.timedOut) { try late.get() }
  }

  @Test func `awaits stand one below the other, in a task or outside`() async throws {
    let screen = Screen()
    let (text, shown) = try await withDeadline("awaiting") {
      let show = screen.show
      let text = try fetch("index").await()
      ThrowableTask.async { show(try fetch("index").await()) }
      return (text, screen.shown(1))
    }
    #expect(text == "page index")
    #expect(shown == ["page index"])
  }
}
