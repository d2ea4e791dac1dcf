import Foundation
import Taskig
import Testing

/// What has to be `Sendable`, which are the stock tasks, and what need not be, which is everything else.
@Suite struct SendabilityTests {
  /// A class that must not go from thread to thread, and says so by not being `Sendable`.
  private final class Notebook {
    var lines: [String] = []

    init(_ line: String) {
      lines.append(line)
    }
  }

  /// A conformer that is not `Sendable`, and whose result is not.
  private final class Author: TaskType {
    var books = 0

    func action(completion: @escaping @Sendable (Notebook) -> Void) {
      books += 1
      completion(Notebook("book \(books)"))
    }
  }

  /// The same, throwing and completing later.
  private struct Publisher: ThrowableTaskType {
    let name: String

    func action(completion: @escaping @Sendable (TaskResult<Notebook>) -> Void) {
      DispatchQueue.global().async { [name] in completion(.success(Notebook("printed by \(name)"))) }
    }
  }

  @Test func `a stock task is Sendable, whatever its result is`() {
    func requireSendable<T: Sendable>(_: T) {}
    requireSendable(Task { 1 })
    requireSendable(Task { Notebook("a") })
    requireSendable(Task<Notebook> { completion in completion(Notebook("a")) })
    requireSendable(ThrowableTask { 1 })
    requireSendable(ThrowableTask { Notebook("a") })
    requireSendable(ThrowableTask<Notebook> { completion in completion(.success(Notebook("a"))) })
    requireSendable(Task { Notebook("a") }.throwableTask)
  }

  @Test func `a stock task goes into a closure that another thread runs`() async throws {
    let lines = try await withDeadline("a stock task goes into a closure") {
      let task = Task { Notebook("plain") }
      let throwing = ThrowableTask { Notebook("throwing") }
      return caught { (done: @escaping @Sendable ([String]) -> Void) in
        DispatchQueue.global().async { done(task.await().lines + ((try? throwing.await())?.lines ?? [])) }
      }
    }
    #expect(lines == ["plain", "throwing"])
  }

  @Test func `each await has a result of its own, so it need not be Sendable`() async throws {
    let (lines, areDifferent) = try await withDeadline("each await has a result of its own") {
      let task = Task { Notebook("a") }
      let first = task.await()
      let second = task.await()
      first.lines.append("b")
      return (first.lines + second.lines, first !== second)
    }
    #expect(lines == ["a", "b", "a"])
    #expect(areDifferent)
  }

  @Test func `results that are not Sendable come out of every way to run a task`() async throws {
    let lines = try await withDeadline("results that are not Sendable") {
      let plain = Task { Notebook("plain") }
      let throwing = ThrowableTask { Notebook("throwing") }
      let notebooks = [
        plain.await(),
        try throwing.await(),
        try throwing.awaitResult().get(),
        Task.await { Notebook("static") },
        try ThrowableTask.await { Notebook("static") },
        Author().await(),
        try Publisher(name: "x").await(),
        [plain, plain].awaitAll()[1],
        try [throwing, throwing].awaitAll()[1],
        try [throwing].awaitAllResults()[0].get(),
        [plain, plain].awaitFirst(),
        try [throwing, throwing].awaitFirst(),
        try [Publisher(name: "y"), Publisher(name: "y")].awaitFirstResult().get(),
        ["key": plain].awaitAll()["key"]!,
        try ["key": throwing].awaitAll()["key"]!,
        ["key": Author()].awaitFirst(),
        try ["key": Publisher(name: "z")].awaitFirst(),
        try Author().throwableTask.await(),
      ]
      let handed = [
        caught { done in plain.async { done($0.lines) } },
        caught { done in Author().async { done($0.lines) } },
        caught { done in Publisher(name: "w").async { done((try? $0.get())?.lines ?? []) } },
      ]
      return notebooks.flatMap(\.lines) + handed.flatMap { $0 }
    }
    #expect(
      lines == [
        "plain", "throwing", "throwing", "static", "static", "book 1", "printed by x", "plain", "throwing", "throwing",
        "plain", "throwing", "printed by y", "plain", "throwing", "book 1", "printed by z", "book 1",
        "plain", "book 1", "printed by w",
      ])
  }

  @Test func `a conformer that is not Sendable keeps its state between awaits`() async throws {
    let lines = try await withDeadline("a conformer that is not Sendable") {
      let author = Author()
      return author.await().lines + author.await().lines + [author].awaitAll().flatMap(\.lines)
    }
    #expect(lines == ["book 1", "book 2", "book 3"])
  }
}
