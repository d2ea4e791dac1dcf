import Foundation
import Testing

@testable import Taskig

extension SignalTests {
  /// Scopes that a signal cancels.
  @Suite(.serialized) struct ScopeTests {
    @Test func `a body that no signal comes to has its value returned, or its error thrown`() throws {
      try withDeadline { () throws in
        #expect(try Task.cancelling(on: SIGWINCH) { 42 } == 42)
        #expect(throws: Failed()) { try Task.cancelling(on: SIGWINCH) { throw Failed() } }
        #expect(!Signals.isCaught(SIGWINCH))
        // Its own cancellation, which no signal was the reason for, is what it is.
        #expect(throws: CancellableTaskError.taskWasCancelled) {
          try Task.cancelling(on: SIGWINCH) { throw CancellableTaskError.taskWasCancelled }
        }
      }
    }

    @Test func `the body runs on the calling thread, as a part of the task that it is in`() throws {
      try withDeadline { () throws in
        let thread = Machine.thread
        #expect(try Task.cancelling(on: SIGWINCH) { Machine.thread } == thread)
        let (begun, ended) = (Gate(), Gate())
        let task = ThrowableTask {
          try Task.cancelling(on: SIGWINCH) {
            begun.open()
            defer { ended.open() }
            try Task.sleep(for: .seconds(60))
          }
        }
        let waiting = Aside { task.awaitResult() }
        #expect(begun.pass())
        task.cancel()
        #expect(ended.pass())
        guard case .failure(CancellableTaskError.taskWasCancelled)? = waiting.result() else {
          Issue.record("A cancellation from outside passed for a signal.")
          return
        }
        #expect(!Signals.isCaught(SIGWINCH))
      }
    }

    @Test func `a signal ends the sleeps and awaits in the body, on whatever thread`() throws {
      try withDeadline { () throws in
        let cancelled = Counter()
        let begun = Meeting(of: 5)
        #expect(throws: CancelledBySignal(number: SIGWINCH)) {
          try Task.cancelling(on: SIGURG, SIGWINCH) {
            let tasks = (1...4).map { number in
              ThrowableTask(executionQueue: number.isMultiple(of: 2) ? .utility : .taskDefault) {
                _ = begun.join()
                do { try Task.sleep(for: .seconds(60)) } catch { cancelled.increment() }
              }
            }
            Thread.detachNewThread {
              if begun.join() { Signals.send(SIGWINCH) }
            }
            _ = try tasks.awaitAll(concurrency: 4)
          }
        }
        // An await that is parked does not wait for what it calls off.
        #expect(eventually { cancelled.value == 4 })
        #expect(!Task.isCancelled && !Signals.isCaught(SIGWINCH) && !Signals.isCaught(SIGURG))
      }
    }

    @Test func `handlers run elsewhere and may block, and a body may return in spite of the signal`() throws {
      try withDeadline { () throws in
        let (handled, gate) = (Gate(), Gate())
        let task = ThrowableTask<Int> { completion in
          Task.onCancel {
            handled.open()
            gate.pass()
            completion(.success(1))
          }
          Signals.send(SIGWINCH)
        }
        let other = Aside { ThrowableTask.nextSignal(SIGURG).awaitResult() }
        let scope = Aside {
          TaskResult {
            try Task.cancelling(on: SIGWINCH) { () -> Bool in
              _ = task.awaitResult()
              return Task.isCancelled
            }
          }
        }
        #expect(handled.pass())
        #expect(Signals.comesToBeCaught(SIGURG))
        // A handler that blocks holds up no other signal.
        Signals.send(SIGURG)
        #expect(try other.result()?.get() == SIGURG)
        gate.open()
        #expect(try scope.result()?.get() == true)
      }
    }

    @Test func `scopes in one another and beside one another are all cancelled by one signal`() throws {
      try withDeadline { () throws in
        let begun = Meeting(of: 4)
        let scopes = (1...3).map { number in
          Aside {
            TaskResult {
              try Task.cancelling(on: SIGWINCH) {
                try Task.cancelling(on: SIGWINCH, SIGURG) {
                  _ = begun.join()
                  try Task.sleep(for: .seconds(60))
                }
              }
            }
          }
        }
        #expect(begun.join())
        Signals.send(SIGWINCH)
        for scope in scopes {
          #expect(scope.result()?.error as? CancelledBySignal == CancelledBySignal(number: SIGWINCH))
        }
        #expect(!Signals.isCaught(SIGWINCH) && !Signals.isCaught(SIGURG))
      }
    }

    @Test func `an inner scope's own signal leaves the outer one alone`() throws {
      try withDeadline { () throws in
        let outer = try Task.cancelling(on: SIGURG) { () -> (TaskResult<Void>, Bool) in
          let inner = TaskResult {
            try Task.cancelling(on: SIGWINCH) {
              Signals.send(SIGWINCH)
              try Task.sleep(for: .seconds(60))
            }
          }
          return (inner, Task.isCancelled)
        }
        #expect(outer.0.isCancelled)
        #expect(outer.0.error as? CancelledBySignal == CancelledBySignal(number: SIGWINCH))
        #expect(!outer.1)
      }
    }

    @Test func `a scope in a run that has been cancelled leaves the signals alone`() throws {
      try withDeadline { () throws in
        let caught = try Task.cancelling(on: SIGWINCH) { () -> Bool in
          Signals.send(SIGWINCH)
          _ = eventually { Task.isCancelled }
          return try Task.cancelling(on: SIGWINCH) { Signals.isCaught(SIGWINCH) }
        }
        #expect(!caught)
      }
    }

    @Test func `after the scope a signal ends the process as before`() async {
      await #expect(processExitsWith: .signal(SIGINT)) {
        exitLate()
        Signals.reset(SIGINT)
        _ = try? blocking { try Task.cancelling(on: SIGINT) {} }
        Signals.send(SIGINT)
        _ = blocking { Gate().pass() }
      }
    }

    @Test func `a second signal ends the process, though the body does not`() async {
      await #expect(processExitsWith: .signal(SIGINT)) {
        exitLate()
        Signals.reset(SIGINT)
        try blocking {
          try Task.cancelling(on: SIGINT) {
            Signals.send(SIGINT)
            guard eventually({ Task.isCancelled }) else { exit(1) }
            Signals.send(SIGINT)
            Gate().pass()
          }
        }
      }
    }

    @Test func `a second signal ends the process, however soon it comes`() async {
      await #expect(processExitsWith: .signal(SIGTERM)) {
        exitLate()
        Signals.reset(SIGTERM)
        try blocking {
          try Task.cancelling(on: SIGTERM) {
            // On this thread, one after the other: the system makes one of two that it has not delivered yet.
            raise(SIGTERM)
            raise(SIGTERM)
            Gate().pass()
          }
        }
      }
    }

    @Test func `a signal that is ignored stays so`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        signal(SIGHUP, SIG_IGN)
        try blocking {
          try Task.cancelling(on: SIGHUP, SIGUSR1) {
            raise(SIGHUP)
            guard !Task.isCancelled, !Signals.isCaught(SIGHUP), Signals.isCaught(SIGUSR1) else { exit(1) }
          }
        }
        guard SignalDisposition(of: SIGHUP)?.isIgnored == true else { exit(2) }
      }
    }

    @Test func `a program that is started in a scope is ended by the signal`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        Signals.reset(SIGINT)
        let status = try blocking {
          try Task.cancelling(on: SIGINT) { () -> Int32 in
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/bin/sh")
            child.arguments = ["-c", "kill -INT $$; exit 3"]
            try child.run()
            child.waitUntilExit()
            return child.terminationReason == .uncaughtSignal ? child.terminationStatus : -1
          }
        }
        guard status == SIGINT else { exit(1) }
      }
    }

    @Test func `signals at any moment of many scopes and waits do what they should`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        // What comes between two scopes is for this one.
        let before = Counter()
        let watch = SignalWatch(SIGUSR1)
        let sender = Aside {
          for _ in 1...Machine.stress(500) {
            Signals.send(SIGUSR1)
            sched_yield()
          }
          return true
        }
        blocking {
          // Once at least, should it have sent all before this comes to look.
          repeat {
            let ends = [
              Aside { TaskResult { try Task.cancelling(on: SIGUSR1) { try Task.sleep(for: .microseconds(300)) } } },
              Aside { TaskResult { _ = try ThrowableTask.nextSignal(SIGUSR1).await(timeout: .microseconds(300)) } },
            ]
            for end in ends {
              switch end.result() {
              case .success?, .failure(is CancelledBySignal)?, .failure(TaskigError.timedOut)?:
                before.increment()
              default: exit(1)
              }
            }
          } while !sender.isDone
        }
        guard before.value > 0, (try? blocking { try watch.next.await(timeout: .seconds(20)) }) == SIGUSR1 else {
          exit(2)
        }
        guard Signals.isCaught(SIGUSR1) else { exit(3) }
        watch.stop()
        guard Signals.comesToBeCaught(SIGUSR1, false) else { exit(4) }
      }
    }
  }
}
