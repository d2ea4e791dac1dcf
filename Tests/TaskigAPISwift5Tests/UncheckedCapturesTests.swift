import Foundation
import Taskig
import Testing

/// Code from before Swift checked data races, which still compiles in Swift 5 mode, without warnings.
///
/// It stands in functions of its own: even in Swift 5 mode the compiler checks more inside the closure of `withDeadline`,
/// which is marked `@Sendable`.
@Suite struct UncheckedCapturesTests {
  @Test func `closures of tasks change variables around them`() async throws {
    let sum = try await withDeadline("closures change variables") { try changedVariable() }
    #expect(sum == 1111)
  }

  @Test func `closures of tasks use objects that are not Sendable`() async throws {
    let titles = try await withDeadline("closures use objects") { usedObject() }
    #expect(titles == ["first", "second", "second, handled"])
  }

  @Test func `handlers without @Sendable are handed to async`() async throws {
    let values = try await withDeadline("handlers without @Sendable") { handled() }
    #expect(values == ["1", "42", "success(2)"])
  }

  @Test func `tasks are made from functions that are not @Sendable`() async throws {
    let values = try await withDeadline("functions that are not @Sendable") { try madeFromFunctions() }
    #expect(values == [1, 2, 3, 4])
  }

  @Test func `a conformer hands a completion without @Sendable to another thread`() async throws {
    let titles = try await withDeadline("a conformer without @Sendable") { calledBack() }
    #expect(titles == ["called back", "called back"])
  }
}

private func changedVariable() throws -> Int {
  var sum = 0
  let task = Task<Void> { sum += 1 }
  task.await()
  Task.await { sum += 10 }
  try ThrowableTask<Void>.await { sum += 100 }
  let done = DispatchSemaphore(value: 0)
  Task.async {
    sum += 1000
    done.signal()
  }
  done.wait()
  return sum
}

private final class Model {
  var title = "untitled"
}

private func usedObject() -> [String] {
  let model = Model()
  var titles: [String] = []
  Task { model.title = "first" }.await()
  titles.append(model.title)
  let done = DispatchSemaphore(value: 0)
  ThrowableTask { model.title = "second" }.async { _ in
    titles.append(model.title)
    model.title += ", handled"
    done.signal()
  }
  done.wait()
  return titles + [model.title]
}

private func handled() -> [String] {
  var values: [String] = []
  let done = DispatchSemaphore(value: 0)
  let handler: (Int) -> Void = { value in
    values.append("\(value)")
    done.signal()
  }
  Task { 1 }.async(completion: handler)
  done.wait()
  Constant(probe: Probe()).async(delayBy: 0.001, completion: handler)
  done.wait()
  let throwingHandler: (TaskResult<Int>) -> Void = { outcome in
    values.append("\(outcome)")
    done.signal()
  }
  ThrowableTask { 2 }.async(completion: throwingHandler)
  done.wait()
  return values
}

private func madeFromFunctions() throws -> [Int] {
  func returning(_ work: @escaping () -> Int) -> Task<Int> { Task(action: work) }
  func throwing(_ work: @escaping () throws -> Int) -> ThrowableTask<Int> { ThrowableTask(action: work) }
  func completing(_ start: @escaping (@escaping (Int) -> Void) -> Void) -> Task<Int> {
    Task { completion in start(completion) }
  }
  func completingAsIs(_ start: @escaping (@escaping (Int) -> Void) -> Void) -> Task<Int> { Task(action: start) }
  return [
    returning { 1 }.await(),
    try throwing { 2 }.await(),
    completing { handler in DispatchQueue.global().async { handler(3) } }.await(),
    completingAsIs { handler in DispatchQueue.global().async { handler(4) } }.await(),
  ]
}

/// A conformer that hands a completion without `@Sendable` to another thread.
private struct Callback: TaskType {
  func action(completion: @escaping (Model) -> Void) {
    DispatchQueue.global().async {
      let model = Model()
      model.title = "called back"
      completion(model)
    }
  }
}

private func calledBack() -> [String] {
  [Callback().await().title, [Callback(), Callback()].awaitAll()[1].title]
}
