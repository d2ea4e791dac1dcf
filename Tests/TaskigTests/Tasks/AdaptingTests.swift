import Dispatch
import Foundation
import Testing

@testable import Taskig

private struct Large: Sendable, Equatable {
  var number = 1
  var text = "two"
  var real = 3.0
  var list = [4]
  var more = "a string that is too long to be kept in place"
}

private final class Reference: Sendable {
  let name: String
  let gone: Counter?

  init(_ name: String, gone: Counter? = nil) {
    self.name = name
    self.gone = gone
  }

  deinit { gone?.increment() }
}

/// A class that must not go from thread to thread.
private final class Notebook {
  var lines = ["first"]
}

private struct Failure: Error, Equatable {
  var code = 1
}

/// Callback functions, with completions of all kinds.
private enum Callback {
  typealias Done<T> = @Sendable (T) -> Void

  static func none(_ done: @escaping Done<Int>) { done(0) }
  static func one(_ a: Int, done: @escaping Done<Large>) { DispatchQueue.global().async { done(Large(number: a)) } }
  static func two(_ a: Large, b: Reference, done: @escaping Done<String>) { done("\(a.number) \(b.name)") }
  static func three(_ a: (Int, String), _ b: @escaping @Sendable (Int) -> Int, _ c: Large?, _ done: @escaping Done<Int>)
  {
    done(b(a.0) + a.1.count + (c?.number ?? 0))
  }
  static func four(_ a: Int, _ b: String, _ c: Large, _ d: Reference, _ done: @escaping Done<String>) {
    DispatchQueue.global().async { done("\(a) \(b) \(c.more) \(d.name)") }
  }
  static func five(
    _ a: [Int], _ b: Double, _ c: any Error, _ d: Reference?, _ e: Large, _ done: @escaping Done<(String, Large)>
  ) {
    done(("\(a) \(b) \(c) \(d?.name ?? "nobody")", e))
  }
  static func six(
    _ a: UInt8, _ b: Bool, _ c: Int?, _ d: Reference, _ e: Large, _ f: any Sendable, _ done: @escaping Done<[String]>
  ) {
    done(["\(a)", "\(b)", c.map { "\($0)" } ?? "nil", d.name, e.text, "\(f)"])
  }

  static func old(_ a: Int, done: @escaping (Int) -> Void) { done(a) }
  static func optional(_ a: Int, done: ((Int) -> Void)?) { done?(a) }
  static func inPlace(_ a: Int, done: (Int) -> Void) { done(a) }
  static func oldAndLong(_ a: Int, _ b: Int, _ c: Int, _ d: Int, done: ((Int) -> Void)?) { done?(a + b + c + d) }
  static func notebook(_ done: @escaping @Sendable (Notebook) -> Void) { done(Notebook()) }

  static func nothing(_ steps: Steps<String>, done: @escaping @Sendable () -> Void) {
    steps.note("called")
    done()
  }
  static func nothing(_ steps: Steps<String>, _: Int, _: Int, _: Int, done: @escaping @Sendable () -> Void) {
    nothing(steps, done: done)
  }

  static func result(_ value: Int?, done: @escaping @Sendable (Result<Int, Failure>) -> Void) {
    done(value.map { .success($0) } ?? .failure(Failure()))
  }
  static func pair(_ value: Int?, _ error: Failure?, done: @escaping @Sendable (Int?, (any Error)?) -> Void) {
    done(value, error)
  }
  static func typedPair(_ value: Int?, _ error: Failure?, done: @escaping (Int?, Failure?) -> Void) {
    done(value, error)
  }
  static func error(_ error: Failure?, done: @escaping @Sendable ((any Error)?) -> Void) { done(error) }

  static func forget(_ value: Int, done: @escaping @Sendable (Result<Int, any Error>) -> Void) {}
}

/// The same functions with enough arguments to need a pack.
private enum LongCallback {
  static func result(_ a: Int?, _: Int, _: Int, _: Int, done: @escaping @Sendable (Result<Int, Failure>) -> Void) {
    Callback.result(a, done: done)
  }
  static func pair(
    _ a: Int?, _ b: Failure?, _: Int, _: Int, done: @escaping @Sendable (Int?, (any Error)?) -> Void
  ) {
    done(a, b)
  }
  static func error(_ a: Failure?, _: Int, _: Int, _: Int, done: @escaping @Sendable ((any Error)?) -> Void) { done(a) }
  static func forget(
    _: Int, _: Int, _: Int, _: Int, done: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) {}
}

struct AdaptingTests {
  @Test func `a function of up to three arguments becomes a function that returns a task`() throws {
    try withDeadline {
      #expect(Task.adapting(Callback.none)().await() == 0)
      #expect(Task.adapting(Callback.one)(7).await() == Large(number: 7))
      #expect(Task.adapting(Callback.two)(Large(), Reference("b")).await() == "1 b")
      let three = Task.adapting(Callback.three)
      #expect(three((1, "two"), { $0 * 10 }, Large(number: 100)).await() == 113)
    }
  }

  @Test func `a function of more arguments does so too`() throws {
    try withDeadline {
      let four = Task.adapting(Callback.four)
      #expect(four(1, "b", Large(), Reference("d")).await() == "1 b \(Large().more) d")
      let five = Task.adapting(Callback.five)
      let (text, large) = five([1, 2], 2.5, Failure(), nil, Large(number: 5)).await()
      #expect(text == "[1, 2] 2.5 Failure(code: 1) nobody")
      #expect(large == Large(number: 5))
      let six = Task.adapting(Callback.six)
      #expect(six(1, true, nil, Reference("d"), Large(), "f").await() == ["1", "true", "nil", "d", "two", "f"])
    }
  }

  @Test func `a closure with a function among more than three arguments is adapted`() throws {
    try withDeadline {
      let adapted = Task.adapting {
        (a: Int, b: Int, c: Int, d: @escaping @Sendable (Int) -> Int, done: @escaping @Sendable (Int) -> Void) in
        done(d(a + b + c))
      }
      #expect(adapted(1, 2, 3, { $0 * 10 }).await() == 60)
    }
  }

  @Test func `the completion of an old function need not be @Sendable, nor escape, and may be optional`() throws {
    try withDeadline {
      #expect(Task.adapting(Callback.old)(1).await() == 1)
      #expect(Task.adapting(Callback.optional)(2).await() == 2)
      #expect(Task.adapting(Callback.inPlace)(3).await() == 3)
      let long = Task.adapting(Callback.oldAndLong)
      #expect(long(1, 2, 3, 4).await() == 10)
    }
  }

  @Test func `a completion that belongs on the main actor is adapted`() {
    @Sendable func show(_ a: Int, done: @escaping @MainActor (Int) -> Void) {}
    let adapted: @Sendable (Int) -> Task<Int> = Task.adapting(show)
    #expect(type(of: adapted(1)) == Task<Int>.self)
  }

  @Test func `what the completion takes need not be Sendable`() throws {
    try withDeadline {
      #expect(Task.adapting(Callback.notebook)().await().lines == ["first"])
    }
  }

  @Test func `a completion that takes nothing makes a task of Void`() throws {
    try withDeadline {
      let steps = Steps<String>()
      Task.adapting { (done: @escaping @Sendable () -> Void) in done() }().await()
      Task.adapting(Callback.nothing(_:done:))(steps).await()
      let long = Task.adapting(Callback.nothing(_:_:_:_:done:))
      long(steps, 1, 2, 3).await()
      #expect(steps.all == ["called", "called"])
    }
  }

  @Test func `each await calls the function again, on the queue that was named`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      let calls = Counter()
      let short = Task.adapting(executionQueue: own.queue) { (a: Int, done: @escaping @Sendable (String) -> Void) in
        calls.increment()
        done("\(a) on \(own.nameHere() ?? "none")")
      }
      let long = Task.adapting(executionQueue: own.queue) {
        (a: Int, _: Int, _: Int, _: Int, done: @escaping @Sendable (String) -> Void) in
        calls.increment()
        done("\(a) on \(own.nameHere() ?? "none")")
      }
      for task in [short(1), long(1, 2, 3, 4)] {
        #expect(task.await() == "1 on own")
        #expect(task.await() == "1 on own")
      }
      #expect(calls.value == 4)
    }
  }

  @Test func `the arguments live as long as the task, and no longer`() throws {
    try withDeadline {
      let gone = Counter()
      let short = Task.adapting(Callback.two)
      let long = Task.adapting(Callback.four)
      for round in 0..<10 {
        do {
          let tasks = [
            short(Large(), Reference("b", gone: gone)), long(1, "b", Large(), Reference("d", gone: gone)),
          ]
          for task in tasks + tasks { #expect(task.await() != "") }
          #expect(gone.value == 2 * round)
          withExtendedLifetime(tasks) {}
        }
        // The thread that called a completion may let go of it a moment later.
        #expect(eventually { gone.value == 2 * round + 2 })
      }
    }
  }
}

struct ThrowingAdaptingTests {
  /// The place of the call that makes the functions below, for messages.
  private static let place = (file: "Some/File.swift" as StaticString, line: 42 as UInt)

  @Test func `a Result is what the task ends with`() throws {
    try withDeadline { () throws in
      let short = ThrowableTask.adapting(Callback.result)
      let long = ThrowableTask.adapting(LongCallback.result)
      for adapted in [short, { long($0, 2, 3, 4) }] {
        #expect(try adapted(1).await() == 1)
        #expect(throws: Failure()) { try adapted(nil).await() }
      }
    }
  }

  @Test func `of a value and an error the error wins`() throws {
    try withDeadline { () throws in
      let short = ThrowableTask.adapting(Callback.pair)
      let long = ThrowableTask.adapting(LongCallback.pair)
      for adapted in [short, ThrowableTask.adapting(Callback.typedPair), { long($0, $1, 3, 4) }] {
        #expect(try adapted(1, nil).await() == 1)
        #expect(throws: Failure()) { try adapted(nil, Failure()).await() }
        #expect(throws: Failure(code: 2)) { try adapted(1, Failure(code: 2)).await() }
      }
    }
  }

  @Test func `neither a value nor an error is an error, which says where the function was adapted`() throws {
    try withDeadline { () throws in
      let (file, line) = Self.place
      let short = ThrowableTask.adapting(file: file, line: line, Callback.pair)
      let long = ThrowableTask.adapting(file: file, line: line, LongCallback.pair)
      let error = TaskigError.neitherValueNorError(task: "The ThrowableTask<Int> made at Some/File.swift:42")
      #expect(throws: error) { try short(nil, nil).await() }
      #expect(throws: error) { try long(nil, nil, 3, 4).await() }
      #expect(
        error.description == """
          The ThrowableTask<Int> made at Some/File.swift:42 got neither a value nor an error: the function that it calls \
          passed nil for both. Have the function pass one of them. If neither is an outcome too, make the task from a \
          closure, which says what that means.
          """)
    }
  }

  @Test func `an error alone fails the task, and none lets it succeed`() throws {
    try withDeadline { () throws in
      let short = ThrowableTask.adapting(Callback.error)
      let long = ThrowableTask.adapting(LongCallback.error)
      for adapted in [short, { long($0, 2, 3, 4) }] {
        try adapted(nil).await()
        #expect(throws: Failure()) { try adapted(Failure()).await() }
      }
    }
  }

  @Test func `functions without arguments, and with two and three, are adapted as well`() throws {
    try withDeadline { () throws in
      let none = ThrowableTask.adapting { (done: @escaping @Sendable (Result<Int, any Error>) -> Void) in
        done(.success(1))
      }
      let noPair = ThrowableTask.adapting { (done: @escaping @Sendable (Int?, (any Error)?) -> Void) in done(2, nil) }
      let noError = ThrowableTask.adapting { (done: @escaping @Sendable ((any Error)?) -> Void) in done(Failure()) }
      #expect(try none().await() == 1)
      #expect(try noPair().await() == 2)
      #expect(throws: Failure()) { try noError().await() }

      let two = ThrowableTask.adapting { (a: Int, b: Int, done: @escaping @Sendable (Result<Int, Failure>) -> Void) in
        done(.success(a + b))
      }
      let three = ThrowableTask.adapting {
        (a: Int, b: Int, c: Int, done: @escaping @Sendable (Int?, (any Error)?) -> Void) in
        done(a + b + c, nil)
      }
      #expect(try two(1, 2).await() == 3)
      #expect(try three(1, 2, 3).await() == 6)
    }
  }

  @Test func `a completion that is let go tells where the function was adapted`() throws {
    try withDeadline { () throws in
      let (file, line) = Self.place
      let short = ThrowableTask.adapting(file: file, line: line, Callback.forget)
      let long = ThrowableTask.adapting(file: file, line: line, LongCallback.forget)
      let error = TaskigError.neverCompleted(task: "The ThrowableTask<Int> made at Some/File.swift:42")
      #expect(throws: error) { try short(1).await() }
      #expect(throws: error) { try long(1, 2, 3, 4).await() }
    }
  }

  @Test func `each task that is made is cancelled for itself`() throws {
    try withDeadline { () throws in
      let adapted = ThrowableTask.adapting(Callback.result)
      let task = adapted(1)
      task.cancel()
      #expect(throws: CancellableTaskError.taskWasCancelled) { try task.await() }
      #expect(try adapted(1).await() == 1)
    }
  }
}
