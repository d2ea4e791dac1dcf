import Dispatch
import Foundation
import Testing

@testable import Taskig

/// That chains let go of their closures and of the values in them.
struct ChainReleaseTests {
  /// Something that is counted as long as it lives.
  private final class Token: Sendable {
    private let alive: Counter

    init(_ alive: Counter) {
      self.alive = alive
      alive.increment()
    }

    deinit {
      alive.decrement()
    }
  }

  /// A chain of each operator, whose source is `source`, and whose closures each hold a token of their own and make values that are
  /// tokens.
  private static func cold(_ source: ThrowableTask<Token>, _ alive: Counter) -> ThrowableTask<Token> {
    let tokens = (0..<8).map { _ in Token(alive) }
    let make: @Sendable (Int) -> Token = { index in withExtendedLifetime(tokens[index]) { Token(alive) } }
    return source.map { _ in make(0) }
      .flatMap { _ in ThrowableTask { make(1) } }
      .map { _ -> Token in throw Failed(number: withExtendedLifetime(tokens[2]) { 0 }) }
      .mapError { error in withExtendedLifetime(tokens[3]) { error } }
      .recover { _ in make(4) }
      .flatMapResult { _ in [ThrowableTask { make(5) }, ThrowableTask { make(5) }].whenAll() }
      .map { $0[0] }
      .zip(ThrowableTask { make(6) }).map { _, second in second }
      .retry(attempts: 3, backoff: .constant(.milliseconds(1)))
      .always { withExtendedLifetime(tokens[7]) {} }
      .delay(for: .milliseconds(1))
      .timeout(.seconds(3_600))
  }

  private static func hot(_ source: SharedTask<Token>, _ alive: Counter) -> SharedTask<Token> {
    let tokens = (0..<6).map { _ in Token(alive) }
    let make: @Sendable (Int) -> Token = { index in withExtendedLifetime(tokens[index]) { Token(alive) } }
    let both: SharedTask<[Token]> = [source.map { _ in make(0) }, source.mapResult { _ in make(1) }].whenAll()
    return both.map { $0[0] }
      .zip(source.flatMap { _ in ThrowableTask { make(2) } }).map { $0.0 }
      .recover { error in
        withExtendedLifetime(tokens[3]) {}
        throw error
      }
      .always { withExtendedLifetime(tokens[4]) {} }
      .delay(for: .milliseconds(1))
      .timeout(.seconds(3_600))
  }

  private static func source(_ alive: Counter) -> ThrowableTask<Token> {
    let token = Token(alive)
    return ThrowableTask<Token> { (completion: @escaping Held<Token>.Complete) in
      Task.onCancel { withExtendedLifetime(token) {} }
      completion(.success(Token(alive)))
    }
  }

  @Test func `a chain that is done, or was never run, holds nothing`() throws {
    try withDeadline {
      let alive = Counter()
      func run() {
        _ = Self.cold(Self.source(alive), alive)
        let cold = Self.cold(Self.source(alive), alive)
        for _ in 0..<3 { #expect(!cold.awaitResult().isFailure) }
        #expect(!cold.awaitResult(timeout: .seconds(60)).isFailure)
        let hot = Self.hot(Self.source(alive).start(), alive)
        for _ in 0..<3 { #expect(!hot.awaitResult().isFailure) }
      }
      run()
      #expect(alive.peak > 0)
      #expect(eventually { alive.value == 0 })
    }
  }

  @Test func `a shared task that is done holds its value, and no closure`() throws {
    try withDeadline {
      let alive = Counter()
      let hot = Self.hot(Self.source(alive).start(), alive)
      #expect(!hot.awaitResult().isFailure)
      #expect(eventually { alive.value == 1 })
      withExtendedLifetime(hot) {}
    }
  }

  @Test func `a chain that was cancelled holds nothing, even while its source does not end`() throws {
    try withDeadline {
      let (alive, held) = (Counter(), Held<Token>())
      func run() {
        let cold = Self.cold(held.task(), alive)
        let end = Aside { cold.awaitResult().isCancelled }
        #expect(held.hasBegun())
        cold.cancel()
        #expect(end.result() == true)
        let hot = Self.hot(held.task().start(), alive)
        #expect(held.hasBegun(2))
        hot.cancel()
        #expect(hot.awaitResult().isCancelled)
      }
      run()
      #expect(eventually { alive.value == 0 })
      held.drop()
    }
  }

  @Test func `nor does one whose time was up`() throws {
    try withDeadline {
      let (alive, held) = (Counter(), Held<Token>())
      func run() {
        let cold = Self.cold(held.task(), alive)
        #expect(cold.awaitResult(timeout: .milliseconds(5)).isFailure)
        #expect(cold.timeout(.milliseconds(5)).awaitResult().isFailure)
      }
      run()
      #expect(eventually { alive.value == 0 })
      held.drop()
    }
  }

  @Test func `what a shared task's timeout has left alone lives until that is done, and no longer`() throws {
    try withDeadline {
      let alive = Counter()
      func run() {
        let source = TaskCompletionSource<Token>()
        let hot = Self.hot(source.task, alive)
        for _ in 0..<3 { #expect(hot.awaitResult(timeout: .milliseconds(2)).isFailure) }
        #expect(source.task.timeout(.milliseconds(2)).awaitResult().isFailure)
        source.set(Token(alive))
        #expect(!hot.awaitResult().isFailure)
      }
      run()
      #expect(eventually { alive.value == 0 })
    }
  }

  @Test func `a source that is let go of takes what was made of its task with it`() throws {
    try withDeadline {
      let alive = Counter()
      func run() {
        let hot = Self.hot(TaskCompletionSource<Token>().task, alive)
        #expect(throws: TaskigError.self) { try hot.await() }
      }
      run()
      #expect(eventually { alive.value == 0 })
    }
  }

  @Test func `operators on a task that stays pending are let go of when their result is done`() throws {
    try withDeadline {
      let alive = Counter()
      let source = TaskCompletionSource<Token>()
      for _ in 0..<100 {
        let token = Token(alive)
        let late = source.task.timeout(.milliseconds(1)).map { value in withExtendedLifetime(token) { value } }
        #expect(late.awaitResult().isFailure)
        let first: SharedTask<Token> = [source.task, ThrowableTask { Token(alive) }.start()].whenAny()
        #expect(!first.awaitResult().isFailure)
      }
      #expect(eventually { alive.value == 0 })
      withExtendedLifetime(source) {}
    }
  }
}
