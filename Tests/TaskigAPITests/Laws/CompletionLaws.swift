import Foundation
import Taskig
import Testing

/// What holds when an action calls its completion otherwise than once.
@Suite struct CompletionLaws {
  /// Calls its completion twice, with 1 and then with 2.
  private struct Stutterer: TaskType {
    enum Rhythm: CaseIterable {
      case bothInPlace
      case inPlaceThenLater
      case bothLater
    }

    let rhythm: Rhythm
    let hasSpokenTwice = Gate()

    func action(completion: @escaping @Sendable (Int) -> Void) {
      switch rhythm {
      case .bothInPlace:
        completion(1)
        completion(2)
        hasSpokenTwice.open()
      case .inPlaceThenLater:
        completion(1)
        DispatchQueue.global().async {
          completion(2)
          hasSpokenTwice.open()
        }
      case .bothLater:
        DispatchQueue.global().async {
          completion(1)
          completion(2)
          hasSpokenTwice.open()
        }
      }
    }
  }

  @Test(arguments: Stutterer.Rhythm.allCases)
  private func `a completion that is called twice counts once, and the first call wins`(
    rhythm: Stutterer.Rhythm
  ) async throws {
    let heard = try await withDeadline("a completion that is called twice") {
      let heard = Shared<[Int]>([])
      let launched = Stutterer(rhythm: rhythm)
      launched.async { value in heard.withLock { $0.append(value) } }
      launched.hasSpokenTwice.pass()
      for run in [{ $0.await() }, { [$0].awaitFirst() }, { [$0, $0].awaitAll()[1] }] as [(Stutterer) -> Int] {
        let task = Stutterer(rhythm: rhythm)
        let value = run(task)
        task.hasSpokenTwice.pass()
        heard.withLock { $0.append(value) }
      }
      return heard.current
    }
    #expect(heard == [1, 1, 1, 1])
  }

  @Test func `a completion that two threads call at once counts once`() async throws {
    let (rounds, heard) = try await withDeadline("a completion that two threads call at once") {
      let heard = Shared(0)
      let rounds = 200
      for _ in 1...rounds {
        let ready = DispatchGroup()
        let done = DispatchGroup()
        for _ in 1...2 {
          ready.enter()
          done.enter()
        }
        let task = Task<Int> { completion in
          for value in 1...2 {
            Thread.detachNewThread {
              ready.leave()
              ready.wait()
              completion(value)
              done.leave()
            }
          }
        }
        task.async { _ in heard.increment() }
        done.wait()
      }
      return (rounds, heard.current)
    }
    #expect(heard == rounds)
  }

  @Test func `a success that is followed by a failure is a success, and the other way round`() async throws {
    let endings = try await withDeadline("a success that is followed by a failure") {
      let lucky = ThrowableTask<Int> { completion in
        completion(.success(1))
        completion(.failure(Failure.broken))
      }
      let unlucky = ThrowableTask<Int> { completion in
        completion(.failure(Failure.broken))
        completion(.success(1))
      }
      return [lucky, unlucky].awaitAllResults().map(ending)
    }
    #expect(endings == ["value 1", "error broken"])
  }

  @Test func `every run of a task calls its own handler once`() async throws {
    let counts = try await withDeadline("every run of a task calls its own handler") {
      let task = Later(probe: Probe())
      let counts = Shared([Int](repeating: 0, count: 500))
      let all = DispatchGroup()
      for run in 0..<500 {
        all.enter()
        task.async { _ in
          counts.withLock { $0[run] += 1 }
          all.leave()
        }
      }
      all.wait()
      return counts.current
    }
    #expect(counts.allSatisfy { $0 == 1 })
  }

  @Test func `a throwing task that drops its completion fails with neverCompleted`() async throws {
    struct Forgetful: ThrowableTaskType {
      func action(completion: @escaping @Sendable (TaskResult<Int>) -> Void) {}
    }
    let names = try await withDeadline("a throwing task that drops its completion") {
      let handed = caught { done in Forgetful().async { done($0) } }
      return [
        Forgetful().awaitResult(),
        handed,
        [Forgetful()].awaitFirstResult(),
        [Forgetful(), Forgetful()].awaitAllResults()[1],
        ThrowableTask<Int> { (_: @escaping @Sendable (TaskResult<Int>) -> Void) in }.awaitResult(),
      ].map { outcome in
        guard case .failure(TaskigError.neverCompleted(let task)) = outcome else { return "\(outcome)" }
        return task
      }
    }
    #expect(names.count == 5)
    for name in names.prefix(4) { #expect(name.contains("Forgetful")) }
    #expect(names[4].contains("CompletionLaws.swift:"))
  }
}
