import Dispatch
import Taskig
import Testing

@Suite struct AwaitTests {
  @Test func `work in the background is awaited`() async throws {
    let text = try await withDeadline("work") {
      let page = try ThrowableTask(executionQueue: .global()) { try read("index") }.awaitInRunLoop()
      return page
    }
    #expect(text == "page index")
  }

  @Test func `an await may have no more time`() async throws {
    let (inTime, late) = try await withDeadline("no more time") {
      let inTime = Task { fallback }.awaitInRunLoop(timeout: .seconds(30))
      let late = slow().awaitResult(timeout: .milliseconds(20))
      return (inTime, late)
    }
    #expect(inTime == "no page")
    #expect(throws: TaskigError.timedOut) { try late.get() }
  }

  @Test func `an await ends when its closure calls finish`() async throws {
    let screen = Screen()
    let (text, shown) = try await withDeadline("finish") {
      let show = screen.show
      let page = try ThrowableTask<String> { finish in load("index", completion: finish) }.awaitInRunLoop()
      Task<Void> { finish in
        load("index") {
          show($0)
          finish(())
        }
      }.awaitInRunLoop()
      return (page, screen.shown(1))
    }
    #expect(text == "page index")
    #expect(shown == ["page index"])
  }

  @Test func `an await ends when a promise does, or when somebody says so`() async throws {
    let (text, same) = try await withDeadline("until") {
      let source = TaskCompletionSource<String>()
      load("index") { source.set($0) }
      let page = try source.task.awaitInRunLoop()
      let promise = fetch("index").start()
      let same = try promise.awaitInRunLoop()
      return (page, same)
    }
    #expect(text == "page index" && same == text)
  }

  @Test func `an await ends when a condition holds`() async throws {
    let isThere = try await withDeadline("condition") {
      let screen = Screen()
      let show = screen.show
      load("index") { show($0) }
      let isThere = try Task.awaitInRunLoop(until: { !screen.isEmpty }, timeout: .seconds(30))
      return isThere
    }
    #expect(isThere)
  }
}
