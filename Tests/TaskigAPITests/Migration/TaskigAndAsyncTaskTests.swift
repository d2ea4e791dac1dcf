import Dispatch
import Taskig
import Testing

@Suite struct TaskigAndAsyncTaskTests {
  @Test func `a task is awaited, and its result taken apart`() async throws {
    let got = try await withDeadline("await") {
      let page = try ThrowableTask { try read("index") }.await()
      let same = try fetch("index").awaitResult().get()
      let text = try ThrowableTask<String> { completion in load("index", completion: completion) }.await()
      return texts(page, same, text)
    }
    #expect(got == ["page index", "page index", "page index"])
  }

  @Test func `async hands the result to its completion, on the queue that the task names`() async throws {
    let screen = Screen()
    let got = try await withDeadline("async") {
      let show = screen.show
      fetch("index").async { result in show(result) }
      Task(executionQueue: .main) { show("on the main queue") }.async()
      Task(executionQueue: .main) { show("and waited for") }.await()
      Task.async(delayBy: 0.01) { show("later") }
      return screen.shown(4)
    }
    #expect(got == ["and waited for", "later", "on the main queue", "page index"])
  }

  @Test func `collections are awaited, with a limit or up to the first`() async throws {
    let (all, first, limited) = try await withDeadline("collections") {
      let all = try ["a", "b"].map(fetch).awaitAll()
      let first = try ["a", "b"].map(fetch).awaitFirst()
      let limited = try ["a", "b"].map(fetch).awaitAll(concurrency: 1)
      return (all, first, limited)
    }
    #expect(all == ["page a", "page b"])
    #expect(limited == all)
    #expect(all.contains(first))
  }

  @Test func `a cancelled task does not run, and another one is made to run it`() async throws {
    let (result, again) = try await withDeadline("cancelling") {
      let task = fetch("index")
      task.cancel()
      let again = try fetch("index").await()
      return (task.awaitResult(), again)
    }
    #expect(result.isCancelled)
    #expect(again == "page index")
  }

  @Test func `a type of one's own is a task since it has an action`() async throws {
    struct Page: ThrowableTaskType {
      typealias ResultType = String

      func action(completion: @escaping @Sendable (TaskResult<String>) -> Void) {
        load("index", completion: completion)
      }
    }
    #expect(try await withDeadline("an own type") { try Page().await() } == "page index")
  }
}
