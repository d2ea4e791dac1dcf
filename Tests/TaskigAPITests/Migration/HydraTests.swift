import Dispatch
import Taskig
import Testing

@Suite struct HydraTests {
  @Test func `a promise is a task, made of work, a callback or what there is`() async throws {
    let got = try await withDeadline("making") {
      let page = ThrowableTask<String> { load("index", completion: $0) }
      let worked = ThrowableTask(executionQueue: .background) { try read("index") }
      let done = Task { fallback }
      let failed = ThrowableTask<String> { throw NotFound() }
      return try texts(page.await(), worked.await(), done.await(), failed.awaitResult())
    }
    #expect(got == ["page index", "page index", "no page", "NotFound()"])
  }

  @Test func `what follows sees the value, the error or the end`() async throws {
    let screen = Screen()
    let got = try await withDeadline("following") {
      let show = screen.show
      let count = fetch("index").map(parse)
      let next = fetch("index").flatMap(fetch)
      let other = fetch("lost").recover { _ in fetch("index") }
      let seen = fetch("index").inspect { show($0) }
      let ended = fetch("index").always(on: .main) { show("done") }
      fetch("lost").async { result in show(result) }
      fetch("index").inspect(on: .main) { show($0) }.async()
      return try texts(count.await(), next.await(), other.await(), ended.await(), seen.await()) + screen.shown(4)
    }
    #expect(got.prefix(5) == ["10", "page page index", "page index", "page index", "page index"])
    #expect(got.suffix(4) == ["NotFound()", "done", "page index", "page index"])
  }

  @Test func `several promises are one`() async throws {
    let (all, serial, first, both) = try await withDeadline("several") {
      let all = ["a", "b"].map(fetch).whenAll(concurrency: 4)
      let serial = ["a", "b"].map(fetch).whenAll(concurrency: 1)
      let first = ["a", "b"].map(fetch).whenAny()
      let both = fetch("a").zip(fetch("b"))
      return try (all.await(), serial.await(), first.await(), both.await())
    }
    #expect(all == ["page a", "page b"])
    #expect(serial == all)
    #expect(all.contains(first))
    #expect(both == ("page a", "page b"))
  }

  @Test func `time passes, runs out, and other attempts are made`() async throws {
    let (delayed, late, again) = try await withDeadline("time") {
      let delayed = fetch("index").delay(for: .milliseconds(10))
      let late = slow().timeout(.milliseconds(20))
      let fetch = failing(first: 2)
      let again = fetch("index").retry(attempts: 3)
      return try (delayed.await(), late.awaitResult(), again.await())
    }
    #expect(delayed == "page index" && again == "page index")
    #expect(throws: TaskigError.timedOut) { try late.get() }
  }

  @Test func `awaits stand one below the other`() async throws {
    let got = try await withDeadline("awaiting") {
      let page = try fetch("index").await()
      let perhaps = try? fetch("lost").await()
      let count = Task {
        let page = try? fetch("index").await()
        return page?.count
      }
      return texts(page, perhaps ?? fallback, count.await() ?? 0)
    }
    #expect(got == ["page index", "no page", "10"])
  }

  @Test func `what is invalidated is cancelled, and can look`() async throws {
    let screen = Screen()
    let (result, shown) = try await withDeadline("invalidating") {
      let show = screen.show
      let began = Gate()
      let page = ThrowableTask { () -> String in
        began.open()
        while true {
          try Task.checkCancellation()
        }
      }
      Task.async {
        began.pass()
        page.cancel()
      }
      let end = page.mapResult { if $0.isCancelled { show("cancelled") } }
      return (end.awaitResult(), screen.shown(1))
    }
    #expect(throws: Never.self) { try result.get() }
    #expect(shown == ["cancelled"])
  }
}
