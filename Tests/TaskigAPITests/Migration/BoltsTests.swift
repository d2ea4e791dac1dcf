import Dispatch
import Taskig
import Testing

@Suite struct BoltsTests {
  @Test func `a task is started, on a queue or done from the beginning`() async throws {
    let queue = DispatchQueue(label: "queue")
    let got = try await withDeadline("starting") {
      let done = SharedTask<String>(.success(fallback))
      let failed = SharedTask<String>(.failure(NotFound()))
      let page = ThrowableTask(executionQueue: queue) { try read("index") }.start()
      let pause = ThrowableTask.delay(for: .milliseconds(10)).start()
      try pause.await()
      return try texts(done.await(), failed.awaitResult(), page.await())
    }
    #expect(got == ["no page", "NotFound()", "page index"])
  }

  @Test func `what continues a task sees its value, its error or its result`() async throws {
    let screen = Screen()
    let got = try await withDeadline("continuing") {
      let show = screen.show
      let page = fetch("index").start()
      let lost = fetch("lost").start()
      let count = page.map(parse)
      let next = page.flatMap(fetch)
      let other = lost.recover { _ in fallback }
      let another = lost.recover { _ in fetch("index") }
      page.mapResult(on: .main) { result in show(result) }
      page.async { result in show(result) }
      return try texts(count.await(), next.await(), other.await(), another.await()) + screen.shown(2)
    }
    #expect(got == ["10", "page page index", "no page", "page index", "page index", "page index"])
  }

  @Test func `several tasks are one task`() async throws {
    let (all, first, success) = try await withDeadline("several") {
      let pages = [fetch("a").start(), fetch("b").start()]
      let all = pages.whenAll()
      let first = pages.whenAny()
      let success = [fetch("lost").start(), fetch("b").start()].whenAnySuccess()
      return try (all.await(), first.await(), success.await())
    }
    #expect(all == ["page a", "page b"])
    #expect(all.contains(first))
    #expect(success == "page b")
  }

  @Test func `a completion source completes its task, once`() async throws {
    let (first, second, third) = try await withDeadline("a source") {
      let first = try fulfilled()
      let second = failed()
      let third = cancelled()
      return (first, second, third)
    }
    #expect(first == "no page")
    #expect(throws: NotFound.self) { try second.get() }
    #expect(third.isCancelled)
  }

  private func fulfilled() throws -> String {
    let source = TaskCompletionSource<String>()
    source.set(fallback)
    source.trySet("another page")
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

  @Test func `the state of a task can be seen, and the task waited for and cancelled`() async throws {
    let screen = Screen()
    let (isCompleted, isCancelled, shown) = try await withDeadline("states") {
      let show = screen.show
      let page = fetch("index").start()
      try page.await()
      let isCompleted = page.isCompleted
      if let text = try? page.outcome?.get() { show(text) }
      let lost = fetch("lost").start()
      lost.awaitResult()
      if case .failure(let error) = lost.state { show(error) }
      let late = slow().start()
      late.cancel()
      let isCancelled = late.isCancelled
      return (isCompleted, isCancelled, screen.shown(2))
    }
    #expect(isCompleted && isCancelled)
    #expect(shown == ["NotFound()", "page index"])
  }
}
