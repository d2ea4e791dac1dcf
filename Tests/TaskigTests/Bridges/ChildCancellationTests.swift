#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @testable import Taskig

  /// What becomes of a child, and of all that it has started, when its run is cancelled.
  struct ChildCancellationTests {
    /// A shell that heeds no SIGTERM, with a child and a grandchild that do not either; it says when all are there.
    private func stubborn(_ mark: ProcessMark) -> ChildProcess {
      shell(
        """
        trap '' TERM
        /bin/sh -c 'trap "" TERM; sleep \(mark.seconds) & echo ready; wait' &
        wait
        """)
    }

    /// Starts `child`, and has `body` run when it has written its first line.
    private func whenReady(
      _ child: ChildProcess,
      _ body: (ThrowableTask<ChildProcessOutput>, Aside<TaskResult<ChildProcessOutput>>) -> Void
    ) {
      let ready = Gate()
      let task = child.hearingOutput { _ in ready.open() }.map { $0 }
      let waiting = Aside { task.awaitResult() }
      #expect(ready.pass())
      body(task, waiting)
    }

    private func expectCancelled(
      _ result: TaskResult<ChildProcessOutput>?, location: SourceLocation = #_sourceLocation
    ) {
      #expect(result?.error as? CancellableTaskError == .taskWasCancelled, sourceLocation: location)
    }

    @Test func `a tree that heeds no SIGTERM is gone after the grace`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        whenReady(stubborn(mark).withGrace(.milliseconds(100))) { task, waiting in
          // The outer shell has the whole script among its arguments, and so has the mark.
          #expect(mark.comes(to: 3))
          task.cancel()
          expectCancelled(waiting.result())
        }
        #expect(mark.comes(to: 0))
      }
    }

    @Test func `the await does not wait for the grace`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        whenReady(stubborn(mark).withGrace(.seconds(3_600))) { task, waiting in
          task.cancel()
          expectCancelled(waiting.result())
        }
        #expect(mark.comes(to: 3))
        #expect(mark.end())
      }
    }

    @Test func `a child has time to put things in order`() throws {
      let folder = try ScratchFolder()
      try withDeadline { () throws in
        let child = shell(
          "trap 'sleep 0.1; echo bye; echo bye > \"$1\"; exit' TERM; echo ready; while :; do sleep 0.01; done",
          folder.path(of: "bye"))
        whenReady(child.withGrace(.seconds(60))) { task, waiting in
          task.cancel()
          expectCancelled(waiting.result())
        }
        #expect(eventually { folder.has("bye") })
      }
    }

    @Test func `so have its children, also when it is gone itself`() throws {
      let folder = try ScratchFolder()
      try withDeadline { () throws in
        let child = shell(
          "/bin/sh -c 'trap \"sleep 0.2; echo > \\\"$1\\\"; exit\" TERM; echo ready; while :; do sleep 0.01; done' sh \"$1\" & wait",
          folder.path(of: "bye"))
        whenReady(child.withGrace(.seconds(60))) { task, waiting in
          task.cancel()
          expectCancelled(waiting.result())
        }
        #expect(eventually { folder.has("bye") })
      }
    }

    @Test func `without a grace there is none`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        whenReady(stubborn(mark).withGrace(.zero)) { task, _ in
          task.cancel()
          #expect(mark.comes(to: 0))
        }
      }
    }

    @Test func `a child that is stopped is ended too`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        whenReady(shell("echo ready; kill -STOP $$; sleep \(mark.seconds)").withGrace(.seconds(60))) { task, waiting in
          task.cancel()
          expectCancelled(waiting.result())
        }
        #expect(mark.comes(to: 0))
      }
    }

    @Test func `a run whose time is up ends its child`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        let child = ChildProcess("sleep", mark.seconds)
        #expect(throws: TaskigError.timedOut) { try child.await(timeout: .milliseconds(100)) }
        #expect(throws: TaskigError.timedOut) { try child.timeout(.milliseconds(100)).await() }
        #expect(mark.comes(to: 0))
      }
    }

    @Test func `the first of many ends the others`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        let children = (0..<8).map { $0 == 5 ? ChildProcess("echo", "5") : ChildProcess("sleep", mark.seconds) }
        #expect(try children.awaitFirst().text == "5")
        #expect(mark.comes(to: 0))
      }
    }

    @Test func `a failure among many ends the others before it is thrown`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        let children = (0..<8).map { $0 == 7 ? shell("exit 3") : ChildProcess("sleep", mark.seconds) }
        #expect(throws: ChildProcessError.self) { try children.awaitAll(concurrency: 8) }
        #expect(mark.comes(to: 0))
      }
    }

    @Test func `a task around it that is cancelled ends it`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        let around = ThrowableTask { try ChildProcess("sleep", mark.seconds).await() }
        let waiting = Aside { around.awaitResult() }
        #expect(mark.comes(to: 1))
        around.cancel()
        expectCancelled(waiting.result())
        #expect(mark.comes(to: 0))
      }
    }

    @Test func `a Swift task that awaits it ends it when cancelled`() async {
      // In a process of its own, whose pool of threads no other test blocks.
      await #expect(processExitsWith: .success) {
        exitLate()
        let mark = ProcessMark()
        let awaiting = _Concurrency.Task { try await ChildProcess("sleep", mark.seconds).value.text }
        guard mark.comes(to: 1) else { exit(1) }
        awaiting.cancel()
        guard mark.comes(to: 0) else { exit(2) }
        let error = await awaiting.result.error as? CancellableTaskError
        exit(error == .taskWasCancelled ? 0 : 3)
      }
    }

    @Test func `one that is cancelled before it starts is never started`() throws {
      let folder = try ScratchFolder()
      try withDeadline { () throws in
        let task = shell("echo > \"$1\"", folder.path(of: "started")).map { $0 }
        task.cancel()
        expectCancelled(task.awaitResult())
        #expect(!folder.has("started"))
      }
    }

    @Test func `no more lines come when it has been cancelled`() throws {
      try withDeadline { () throws in
        let (begun, goOn, done) = (Gate(), Gate(), Gate())
        let lines = Counter()
        let task = shell("seq 1 1000")
          .hearingOutput { _ in
            lines.increment()
            begun.open()
            goOn.pass()
            done.open()
          }.map { $0 }
        let waiting = Aside { task.awaitResult() }
        #expect(begun.pass())
        task.cancel()
        expectCancelled(waiting.result())
        goOn.open()
        #expect(done.pass())
        #expect(lines.value == 1)
      }
    }

    @Test func `a child leads a group of its own`() throws {
      try withDeadline { () throws in
        let group = try shell("echo $$; ps -o pgid= -p $$ || cut -d' ' -f5 /proc/$$/stat").await().lines
        #expect(group.count == 2 && group[1].contains(group[0]), "\(group)")
      }
    }

    @Test func `whenever it is cancelled, nothing survives and nothing hangs`() throws {
      try withDeadline { () throws in
        var random = SeededRandom(Machine.seed)
        let mark = ProcessMark()
        for round in 0..<Machine.stress(60) {
          let task =
            switch round % 3 {
            case 0:
              shell("trap '' TERM; sleep \(mark.seconds) & sleep \(mark.seconds) & wait").withGrace(.milliseconds(20))
                .map { $0 }
            case 1: ChildProcess("sleep", mark.seconds).map { $0 }
            default: shell("seq 1 100; exit 3").accepting(3).hearingOutput { _ in }.map { $0 }
            }
          let waiting = Aside { task.awaitResult() }
          // The moment varies: before the child is there, as it starts, when all of its tree is there, after its end.
          let microseconds = random.next() % (random.next() % 2 == 0 ? 1_500 : 15_000)
          Thread.sleep(forTimeInterval: Double(microseconds) * 1e-6)
          task.cancel()
          let result = waiting.result()
          if case .success(let output) = result {
            #expect(round % 3 == 2 && output.ending == .exit(3))
          } else {
            expectCancelled(result)
          }
        }
        #expect(mark.comes(to: 0))
      }
    }
  }
#endif
