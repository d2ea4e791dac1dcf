#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @testable import Taskig

  /// Waiting for the children that have been cancelled.
  struct ChildDepartureTests {
    /// Starts a child that sleeps, with another, and cancels it when both are there.
    private func cancelSleepers(_ mark: ProcessMark, heedingNothing: Bool = false, grace: Duration) {
      let ready = Gate()
      let words = heedingNothing ? "trap '' TERM;" : ""
      let task = shell("\(words) sleep \(mark.seconds) & echo ready; sleep \(mark.seconds); wait").withGrace(grace)
        .hearingOutput { _ in ready.open() }.map { $0 }
      let waiting = Aside { task.awaitResult() }
      #expect(ready.pass())
      task.cancel()
      #expect(waiting.result()?.isCancelled == true)
    }

    @Test func `they and what they have started are gone when their end has been awaited`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        cancelSleepers(mark, grace: .seconds(3_600))
        ChildProcess.endOfCancelled.await()
        #expect(mark.processes == [])
      }
    }

    @Test func `those that heed no SIGTERM are gone after the grace`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        cancelSleepers(mark, heedingNothing: true, grace: .milliseconds(50))
        ChildProcess.endOfCancelled.await()
        // A process that is ended by SIGKILL may be seen for a moment still.
        #expect(mark.comes(to: 0))
      }
    }

    @Test func `one whose time was up is waited for, one that runs on is not`() throws {
      try withDeadline { () throws in
        let (mark, other) = (ProcessMark(), ProcessMark())
        let running = ChildProcess("sleep", other.seconds).start()
        #expect(other.comes(to: 1))
        #expect(throws: TaskigError.timedOut) {
          try ChildProcess("sleep", mark.seconds).await(timeout: .milliseconds(20))
        }
        ChildProcess.endOfCancelled.await()
        #expect(mark.processes == [])
        #expect(other.processes.count == 1)
        running.cancel()
        ChildProcess.endOfCancelled.await()
        #expect(other.processes == [])
      }
    }

    @Test func `a part of a run that has been cancelled can wait for it`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        let left = Box<[pid_t]?>(nil)
        let over = Gate()
        let task = ThrowableTask {
          defer { over.open() }
          let result = ChildProcess("sleep", mark.seconds).awaitResult()
          #expect(result.isCancelled)
          ChildProcess.endOfCancelled.await()
          left.value = mark.processes
        }
        let waiting = Aside { task.awaitResult() }
        #expect(mark.comes(to: 1))
        task.cancel()
        _ = waiting.result()
        #expect(over.pass())
        #expect(left.value == [])
      }
    }

    @Test func `one that was cancelled before it could start is not waited for`() throws {
      try withDeadline { () throws in
        for _ in 0..<Machine.stress(20) {
          let mark = ProcessMark()
          let child = ChildProcess("sleep", mark.seconds).start()
          child.cancel()
          ChildProcess.endOfCancelled.await()
          #expect(mark.processes == [])
        }
      }
    }

    @Test func `a limit of time ends the wait`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        cancelSleepers(mark, heedingNothing: true, grace: .seconds(3_600))
        #expect(ChildProcess.endOfCancelled.await(timeout: .milliseconds(10)) == nil)
        #expect(mark.end())
        ChildProcess.endOfCancelled.await()
      }
    }
  }
#endif
