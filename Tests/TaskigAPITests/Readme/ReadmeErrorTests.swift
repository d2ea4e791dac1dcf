// swift-format-ignore-file
// The code between the marks stands as the original Taskig's README has it.
import Foundation
import Taskig
import Testing

// The README has no `@retroactive`; without it the compiler warns of two owners, neither of which is Taskig.
// README
extension String: @retroactive Error {}

func toStringExceptZero(number: Int) -> ThrowableTask<String> {
    return ThrowableTask<String> {
        guard number != 0 else {
            throw "FoundZero"
        }

        return "\(number)"
    }
}
// end

@Suite struct ReadmeErrorTests {
  private let lines = Shared<[String]>([])

  private func print(_ error: any Error) {
    lines.withLock { $0.append("\(error)") }
  }

  @Test func `what the closure throws, await throws`() async throws {
    try await withDeadline("a throwing await") {
      // README
      do {
          try toStringExceptZero(number: 0).await()
      } catch {
          // Prints "FoundZero" error
          print(error)
      }
      // end
    }
    #expect(lines.current == ["FoundZero"])
  }

  @Test func `what the closure returns, await returns`() async throws {
    let text = try await withDeadline("a throwing await that succeeds") { try toStringExceptZero(number: 7).await() }
    #expect(text == "7")
  }

  @Test func `awaitResult returns the error instead of throwing it`() async throws {
    try await withDeadline("awaitResult") {
      // README
      if case let .failure(error) = toStringExceptZero(number: 0).awaitResult() {
          print(error)
      }
      // end
    }
    #expect(lines.current == ["FoundZero"])
  }

  @Test func `awaitResult returns the value`() async throws {
    let text = try await withDeadline("awaitResult that succeeds") {
      guard case let .success(text) = toStringExceptZero(number: 7).awaitResult() else { return "a failure" }
      return text
    }
    #expect(text == "7")
  }

  @Test func `a collection's await throws the error of the task that failed`() async throws {
    await #expect(throws: "FoundZero") {
      try await withDeadline("awaitAll that fails") { try [1, 0, 2].map(toStringExceptZero).awaitAll(concurrency: 1) }
    }
  }

  @Test func `a cancelled task throws taskWasCancelled and does not run`() async throws {
    let hasRun = Shared(false)
    let again = try await withDeadline("a cancelled task") {
      // README
      var task = ThrowableTask<String> { () -> String in
          // end
          hasRun.withLock { $0 = true }
          // README
          return "Foobar"
      }

      task.isCancelled = true

      do {
          try task.await()
      } catch {
          // CancellableTaskError.taskWasCancelled thrown
          print(error)
      }
      // end
      return task.awaitResult()
    }
    #expect(throws: CancellableTaskError.taskWasCancelled) { try again.get() }
    #expect(lines.current == ["taskWasCancelled"])
    #expect(hasRun.current == false)
  }
}
