import Testing

@testable import Taskig

/// What a chain that is let go of lets go of.
struct DismantlingTests {
  /// Drops a source and awaits its task, when it is let go of.
  private final class Last: Sendable {
    private let end: Box<End?>

    init(_ end: Box<End?>) {
      self.end = end
    }

    deinit {
      let task: SharedTask<Int>
      do {
        let source = TaskCompletionSource<Int>()
        task = source.task
        let holder = ThrowableTask { () }.map { _ in withExtendedLifetime(source) {} }
        withExtendedLifetime(holder) {}
      }
      end.value = End(task.awaitResult())
    }
  }

  @Test func `an object that awaits when a chain lets go of it does not wait for what the chain still holds`() throws {
    try withDeadline {
      let end = Box<End?>(nil)
      do {
        let last = Last(end)
        let chain = ThrowableTask { () }.map { _ in withExtendedLifetime(last) {} }
        withExtendedLifetime(chain) {}
      }
      #expect(end.value == .lost)
    }
  }

  @Test func `all is let go of, however chains hold one another, on many threads at once`() throws {
    try withDeadline {
      let population = Population()
      let racers = (0..<8).map { _ in
        Aside { () -> Int in
          var task = ThrowableTask { 0 }
          for step in 0..<Machine.depth(2_000) {
            let (member, before) = (population.member(), task)
            let kept: @Sendable (Int) -> Int = { number in withExtendedLifetime(member) { number } }
            task = step % 2 == 0 ? before.map(kept) : ThrowableTask { 1 }.flatMap { _ in before }
          }
          return 0
        }
      }
      for racer in racers { _ = racer.result() }
      #expect(population.hasDied())
    }
  }
}
