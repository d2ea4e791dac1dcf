import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Work that a callback-style action hands on to another task with `async(completion:)`.
struct HandingOnTests {
  @Test func `it is lent the queue of whoever awaits the action`() throws {
    let own = NamedQueue("own")
    try withDeadline {
      let name = Task<String?>(executionQueue: own.queue) {
        Task<String?> { completion in
          Task<String?> { Task(executionQueue: own.queue) { own.nameHere() }.await() }.async(completion: completion)
        }.await()
      }.await()
      #expect(name == "own")
    }
  }

  @Test func `a task on that very queue is handed on too`() throws {
    let own = NamedQueue("own")
    try withDeadline { () throws in
      let name = Task<String?>(executionQueue: own.queue) {
        Task<String?> { completion in
          Task<String?>(executionQueue: own.queue) { own.nameHere() }.async(completion: completion)
        }.await()
      }.await()
      #expect(name == "own")
    }
  }

  @Test func `it may be handed on again and again, and on other queues`() throws {
    let (own, other) = (NamedQueue("own"), NamedQueue("other"))
    try withDeadline {
      @Sendable func relay(_ hops: Int) -> Task<String?> {
        Task(executionQueue: hops % 2 == 0 ? other.queue : .taskDefault) { completion in
          guard hops > 0 else {
            return Task<String?>(executionQueue: own.queue) { own.nameHere() }.async(completion: completion)
          }
          relay(hops - 1).async(completion: completion)
        }
      }
      #expect(Task(executionQueue: own.queue) { relay(20).await() }.await() == "own")
    }
  }

  @Test func `what hears of it may hand on in its turn`() throws {
    let (own, other) = (NamedQueue("own"), NamedQueue("other"))
    try withDeadline {
      let names = Task<[String?]>(executionQueue: own.queue) {
        Task<[String?]> { completion in
          Task(executionQueue: other.queue) { other.nameHere() }.async { first in
            Task(executionQueue: own.queue) { own.nameHere() }.async { second in
              Task { Task(executionQueue: own.queue) { own.nameHere() }.await() }.async {
                completion([first, second, $0])
              }
            }
          }
        }.await()
      }.await()
      #expect(names == ["other", "own", "own"])
    }
  }

  @Test func `an item that returns its result hands nothing on, whatever the one before it did`() throws {
    let own = NamedQueue("own")
    try withDeadline {
      let steps = Steps<String>()
      let foreignRan = Gate()
      let items = [
        Task<Void> { completion in completion(()) },
        Task<Void> {
          Task<Void>(executionQueue: own.queue) { steps.note("foreign") }.async { foreignRan.open() }
          // Elsewhere, so that the holder parks and could be lent; long enough for it to be.
          Task(executionQueue: .utility) { Thread.sleep(forTimeInterval: 0.05) }.await()
        },
      ]
      Task<Void>(executionQueue: own.queue) {
        items.awaitAll(concurrency: 1)
        steps.note("own")
      }.await()
      #expect(foreignRan.pass())
      #expect(steps.all == ["own", "foreign"])
    }
  }

  @Test func `items of a collection hand on as well`() throws {
    let own = NamedQueue("own")
    try withDeadline {
      let names = Task<[String?]>(executionQueue: own.queue) {
        (0..<20).map { _ in
          Task<String?> { completion in
            Task<String?>(executionQueue: own.queue) { own.nameHere() }.async(completion: completion)
          }
        }.awaitAll(concurrency: 4)
      }.await()
      #expect(names == Array(repeating: "own", count: 20))
    }
  }

  @Test func `the main thread is lent as well`() async {
    await #expect(processExitsWith: .success) {
      DispatchQueue.main.async {
        let onMain = ThrowableTask<Bool> { completion in
          ThrowableTask { Task(executionQueue: .main) { isOnMain() }.await() }.async(completion: completion)
        }
        exit((try? onMain.await()) == true ? 0 : 1)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `what nobody hears of is no part of the await, and gets no turn in the middle of it`() throws {
    let own = NamedQueue("own")
    try withDeadline {
      let steps = Steps<String>()
      let foreignRan = Gate()
      Task<Void>(executionQueue: own.queue) {
        Task<Void> { completion in
          Task<Void>(executionQueue: own.queue) {
            steps.note("foreign")
            foreignRan.open()
          }.async()
          // From another thread, so that the holder parks and could be lent.
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { completion(()) }
        }.await()
        steps.note("own")
      }.await()
      #expect(foreignRan.pass())
      #expect(steps.all == ["own", "foreign"])
    }
  }
}
