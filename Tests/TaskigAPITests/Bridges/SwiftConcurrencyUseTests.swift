import Foundation
import Taskig
import Testing

/// What an app writes between code that blocks and `async` code.
///
/// Each test's async code runs in an await that blocks, on a thread with a deadline.
@Suite struct SwiftConcurrencyUseTests {
  /// A class that must not go from thread to thread.
  private final class Notebook {
    var lines = ["a line"]
  }

  /// An actor that keeps what tasks result in.
  private actor Shelf {
    private var notebooks: [Notebook] = []
    private let publisher = ThrowableTask { Notebook() }

    func fill() async throws -> Int {
      for await notebook in (0..<3).map({ _ in Task { Notebook() } }).asCompleted() { notebooks.append(notebook) }
      for try await notebook in [publisher, publisher].asCompleted(concurrency: 1) { notebooks.append(notebook) }
      for await (_, result) in [publisher].resultsAsCompleted() { notebooks.append(try result.get()) }
      notebooks.append(await Task { Notebook() }.value)
      notebooks.append(try await publisher.value)
      notebooks.append(try await publisher.result.get())
      return notebooks.flatMap(\.lines).count
    }
  }

  /// The same on the main actor.
  @MainActor
  private final class Screen {
    private var shown: [Notebook] = []
    private let author = Author()

    func show() async throws -> Int {
      for await notebook in (0..<3).map({ _ in Task { Notebook() } }).asCompleted() {
        MainActor.assertIsolated()
        shown.append(notebook)
      }
      shown.append(await author.value)
      return shown.count + (await Task(executionQueue: .main) { 1 }.value) + (try await ThrowableTask { 1 }.value)
    }
  }

  /// A conformer that is not `Sendable`, and whose result is not.
  private final class Author: TaskType {
    var books = 0

    func action(completion: @escaping @Sendable (Notebook) -> Void) {
      books += 1
      completion(Notebook())
    }
  }

  private static func greet(_ name: String) async -> String {
    await _Concurrency.Task.yield()
    return "Hello \(name)"
  }

  private static func fail() async throws -> String { throw Failure.broken }

  @Test func `code that blocks gets at the value of async code`() async throws {
    let greetings = try await withDeadline("awaitAsync") {
      let one = Task.awaitAsync { await Self.greet("Ada") }
      let two = try ThrowableTask.awaitAsync(priority: .high) { await Self.greet("Ben") }
      let many = ["Cy", "Di"].map { name in Task.fromAsync { await Self.greet(name) } }.awaitAll(concurrency: 1)
      let timely = Task.fromAsync(priority: .low) { await Self.greet("Ed") }.await(timeout: .seconds(60))
      return [one, two] + many + [timely ?? ""]
    }
    #expect(greetings == ["Hello Ada", "Hello Ben", "Hello Cy", "Hello Di", "Hello Ed"])
    await #expect(throws: Failure.broken) {
      try await withDeadline("a failure") { try ThrowableTask.awaitAsync { try await Self.fail() } }
    }
  }

  @Test func `an actor keeps results that are not Sendable`() async throws {
    let count = try await withDeadline("an actor") { try ThrowableTask.awaitAsync { try await Shelf().fill() } }
    #expect(count == 9)
  }

  @Test func `so does the main actor`() async throws {
    let count = try await withDeadline("the main actor") { try ThrowableTask.awaitAsync { try await Screen().show() } }
    #expect(count == 6)
  }

  @Test func `a task of one's own that is not Sendable is awaited where it was made`() async throws {
    let counts = try await withDeadline("an author") {
      Task.awaitAsync {
        let author = Author()
        let lines = await author.value.lines.count
        return [lines, author.books]
      }
    }
    #expect(counts == [1, 1])
  }

  @Test func `a run loop goes on while one waits`() async throws {
    let ticks = try await withDeadline("a run loop") {
      let ticks = Shared(0)
      let timer = Timer(timeInterval: 0.001, repeats: true) { _ in ticks.increment() }
      RunLoop.current.add(timer, forMode: .default)
      let holds = try Task.awaitInRunLoop(until: { ticks.current >= 3 }, timeout: .seconds(60))
      timer.invalidate()
      let greeting = Task.fromAsync { await Self.greet("Ada") }.awaitInRunLoop()
      let length = try ThrowableTask { greeting.count }.awaitInRunLoop(mode: .default, timeout: .seconds(60))
      return holds ? length : 0
    }
    #expect(ticks == 9)
  }

  @Test func `what is made can be held as what it is`() async throws {
    let sums = try await withDeadline("held sequences") {
      try ThrowableTask.awaitAsync {
        let plain: TasksAsCompleted<Int, Never> = (1...3).map { n in Task { n } }.asCompleted()
        let throwing: TasksAsCompleted<Int, any Error> = (1...3).map { n in ThrowableTask { n } }.asCompleted()
        var sums = [0, 0, 0]
        for await n in plain { sums[0] += n }
        for try await n in throwing { sums[1] += n }
        sums[2] = try await throwing.map { $0 * 2 }.reduce(0, +)
        return sums
      }
    }
    #expect(sums == [6, 6, 12])
  }
}
