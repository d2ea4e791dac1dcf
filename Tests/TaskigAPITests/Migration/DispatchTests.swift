import Dispatch
import Taskig
import Testing

@Suite struct DispatchTests {
  private let queue = DispatchQueue(label: "queue")

  @Test func `a block runs on a queue, later, or while one waits`() async throws {
    let screen = Screen()
    let got = try await withDeadline("queues") { [queue] in
      let show = screen.show
      Task.async { show("operation") }
      Task.async(executionQueue: queue) { show("async") }
      Task.async(executionQueue: queue, delayBy: 0.01) { show("later") }
      let text = try ThrowableTask(executionQueue: queue) { try read("index") }.await()
      return screen.shown(3) + [text]
    }
    #expect(got == ["async", "later", "operation", "page index"])
  }

  @Test func `what depends on others follows them`() async throws {
    let screen = Screen()
    let (second, third, ended, shown) = try await withDeadline("dependencies") {
      let show = screen.show
      let second = fetch("a").flatMap { _ in fetch("b") }
      let third = fetch("a").zip(fetch("b")).map { a, b in a + b }
      let ended = fetch("index").always { show("done") }
      return try (second.await(), third.await(), ended.await(), screen.shown(1))
    }
    #expect(second == "page b" && third == "page apage b" && ended == "page index")
    #expect(shown == ["done"])
  }

  @Test func `a group of operations is waited for, with a limit`() async throws {
    let (limited, all, each, inTime) = try await withDeadline("operations") {
      let names = ["a", "b"]
      let limited = try names.map(fetch).awaitAll(concurrency: 4)
      let pages = names.map { fetch($0).start() }
      let all = try pages.awaitAll()
      let each = try names.map(ThrowableTask.adapting(load)).awaitAll()
      let inTime = try names.map(fetch).awaitAll(timeout: .seconds(30))
      return (limited, all, each, inTime)
    }
    #expect(limited == ["page a", "page b"])
    #expect([all, each, inTime].allSatisfy { $0 == limited })
  }

  @Test func `a group notifies a queue`() async throws {
    let screen = Screen()
    let shown = try await withDeadline("notify") {
      let show = screen.show
      ["a", "b"].map(fetch).whenAll().map(on: .main) { show($0) }.async()
      return screen.shown(1)
    }
    #expect(shown == [#"["page a", "page b"]"#])
  }

  @Test func `a semaphore that waits for a callback is an await`() async throws {
    let (text, squares) = try await withDeadline("semaphores") {
      let page = try ThrowableTask<String> { load("index", completion: $0) }.await()
      let squares = (0..<3).map { n in Task { n * n } }.awaitAll()
      return (page, squares)
    }
    #expect(text == "page index")
    #expect(squares == [0, 1, 4])
  }

  @Test func `what has been submitted is cancelled, one by one or all together, and can look`() async throws {
    let (early, all, result) = try await withDeadline("cancelling") {
      let item = ThrowableTask { try read("index") }
      item.cancel()
      let pages = [slow().start(), slow().start()]
      for page in pages { page.cancel() }
      let began = Gate()
      let work = ThrowableTask {
        began.open()
        while true {
          try Task.checkCancellation()
        }
      }
      let running = work.start()
      began.pass()
      running.cancel()
      return (item.isCancelled, pages.map(\.isCompleted), running.awaitResult().isCancelled)
    }
    #expect(early && result)
    #expect(all == [true, true])
  }

  @Test func `a work item is waited for, and looked at`() async throws {
    let (text, isCompleted) = try await withDeadline("items") {
      let item = ThrowableTask { try read("index") }.start()
      let text = try item.await()
      let isCompleted = item.isCompleted
      return (text, isCompleted)
    }
    #expect(text == "page index" && isCompleted)
  }
}
