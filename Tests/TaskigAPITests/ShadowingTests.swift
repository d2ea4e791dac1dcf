import Taskig
import Testing

/// Which `Task` is meant in a file that imports Taskig, as this one does, with Swift's own in scope too.
@Suite struct ShadowingTests {
  @Test func `Task is Taskig's`() {
    #expect(Task<Int>.self == Taskig.Task<Int>.self)
    #expect("\(String(reflecting: Task<Int>.self))" == "Taskig.Task<Swift.Int>")
    let task = Task { 1 }
    #expect(type(of: task) == Taskig.Task<Int>.self)
  }

  @Test func `_Concurrency.Task is Swift's`() async throws {
    let task = _Concurrency.Task { 6 * 7 }
    #expect(await task.value == 42)
    #expect(type(of: task) == _Concurrency.Task<Int, Never>.self)
    #expect(await _Concurrency.Task.detached(priority: .high) { "detached" }.value == "detached")
    #expect(_Concurrency.Task.isCancelled == false)
    try await _Concurrency.Task.sleep(for: .zero)
  }

  @Test func `what else Swift calls after tasks is still Swift's`() async {
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 1...3 { group.addTask(priority: .medium) { number } }
      return await group.reduce(0, +)
    }
    #expect(sum == 6)
    #expect(TaskPriority.high > TaskPriority.low)
    #expect(withUnsafeCurrentTask { $0 != nil })
  }

  @Test func `a task's type can be told by its module in a type annotation`() async throws {
    let task: Taskig.Task<String> = .init { "typed" }
    let throwing: Taskig.ThrowableTask<String> = .init { "throwing" }
    let texts = try await withDeadline("typed by module") { [task.await(), try throwing.await()] }
    #expect(texts == ["typed", "throwing"])
  }

  @Test func `await the method and await the keyword go together`() async throws {
    let text = try await withDeadline("await and await") {
      Task { Task { "inner" }.await() + ", outer" }.await()
    }
    #expect(text == "inner, outer")
  }
}
