import Dispatch
import Foundation
import Testing

@testable import Taskig

struct WorkersTests {
  @Test func `two hundred blocking tasks are all under way at once`() throws {
    try withDeadline {
      let all = Meeting(of: 201)
      for _ in 0..<200 { Task.async { _ = all.join() } }
      #expect(all.join())
    }
  }

  @Test func `two hundred threads await blocking tasks at once`() throws {
    try withDeadline {
      let all = Meeting(of: 201)
      for _ in 0..<200 { Thread.detachNewThread { Task { _ = all.join() }.await() } }
      #expect(all.join())
    }
  }

  @Test func `a task that comes as an idle thread wakes up is not left lying`() throws {
    try withDeadline(240) {
      for round in 0..<Machine.stress(5_000) {
        let latch = Gate()
        let done = Gate()
        Task.async {
          latch.pass()
          done.open()
        }
        // A little later each time, so that it meets every moment of the other's waking.
        for _ in 0..<(round % 64) * 20 { _ = Machine.cores }
        Task.async { latch.open() }
        #expect(done.pass(), "round \(round)")
      }
    }
  }

  @Test func `ten thousand short jobs need no ten thousand threads`() throws {
    try withDeadline {
      let workers = Workers()
      let left = DispatchGroup()
      let threads = Locked<Set<ObjectIdentifier>>([])
      for _ in 0..<10_000 {
        left.enter()
        workers.submit(
          Job(on: nil, for: nil, in: nil) {
            let thread = Machine.thread
            threads.withLock { _ = $0.insert(thread) }
            left.leave()
          })
      }
      #expect(left.wait(timeout: .now() + 30) == .success)
      // Some more than cores where the machine is busy or a sanitizer slows the jobs down; never one for each job.
      #expect(threads.withLock { $0.count } <= 1_000)
    }
  }

  @Test func `a fire-and-forget task that nobody holds still completes`() throws {
    try withDeadline {
      let done = Gate()
      do { Task.async { done.open() } }
      #expect(done.pass())
      let later = Gate()
      do { Task.async(delayBy: 0.01) { later.open() } }
      #expect(later.pass())
    }
  }
}

struct DelayTests {
  @Test func `a delayed task starts after its delay, and not before`() throws {
    try withDeadline {
      let started = DispatchTime.now()
      let done = Gate()
      Task { 1 }.async(delayBy: 0.05) { _ in done.open() }
      #expect(done.pass())
      #expect(DispatchTime.now() >= started + 0.05)
    }
  }

  @Test func `zero and negative delays mean now`() throws {
    try withDeadline {
      for delay in [0, -1, -Double.infinity] {
        let done = Gate()
        Task.async(delayBy: delay) { done.open() }
        #expect(done.pass())
      }
    }
  }

  @Test func `an infinite delay means never, and keeps nothing alive`() throws {
    final class Token: Sendable {}
    try withDeadline {
      weak var token: Token?
      do {
        let made = Token()
        token = made
        Task.async(delayBy: .infinity) { _ = made }
        Task.async(delayBy: .greatestFiniteMagnitude) { _ = made }
        Task { made === made }.async(delayBy: .infinity) { _ in Issue.record("never is never") }
        ThrowableTask { made === made }.async(delayBy: .infinity) { _ in Issue.record("never is never") }
      }
      #expect(token == nil)
    }
  }

  @Test func `a delay is kept while the task's queue and the global queues are busy`() throws {
    try withDeadline {
      let hold = Gate()
      defer { hold.open() }
      for _ in 0..<64 { DispatchQueue.global().async { hold.pass() } }
      let fired = Gate()
      Task.async(delayBy: 0.01) { fired.open() }
      // Less than the others hold the queues for.
      #expect(fired.pass(within: 15))
    }
  }
}
