import Dispatch
import Testing

@testable import Taskig

struct CallbackTests {
  private static func two(_ handler: @escaping @Sendable (Int, String?) -> Void) {
    DispatchQueue.global().async { handler(1, "two") }
  }

  private static func three(_ handler: @escaping @Sendable (Int?, String, Bool) -> Void) {
    handler(nil, "two", true)
  }

  @Test func `a function whose handler takes several values is wrapped as it is`() throws {
    try withDeadline {
      let pair = Task<(Int, String?)> { completion in Self.two(completion) }.await()
      #expect(pair == (1, "two"))
      let triple = Task<(Int?, String, Bool)> { completion in Self.three(completion) }.await()
      #expect(triple == (nil, "two", true))
    }
  }

  @Test func `a tuple may also be returned, or completed with as one value`() throws {
    try withDeadline {
      #expect(Task { (1, 2) }.await() == (1, 2))
      #expect(Task<(Int, Int)> { completion in completion((1, 2)) }.await() == (1, 2))
      #expect(Task<(Int, Int)> { completion in completion(1, 2) }.await() == (1, 2))
    }
  }
}

struct OpaqueTaskTests {
  private static func some() -> some TaskType<Int> { Task { 1 } }

  @Test func `tasks of any type with a given result can be mixed, and awaited one by one`() throws {
    struct Two: TaskType {
      func action(completion: @escaping @Sendable (Int) -> Void) { completion(2) }
    }
    let tasks: [any TaskType<Int>] = [Self.some(), Two()]
    #expect(tasks.map { $0.await() } == [1, 2])
  }
}
