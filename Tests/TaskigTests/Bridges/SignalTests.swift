import Foundation
import Testing

@testable import Taskig

/// All tests of signals, which are the process's, and so take turns.
@Suite(.serialized) enum SignalTests {}

extension SignalTests {
  /// Tasks that complete when a signal comes.
  @Suite(.serialized) struct NextSignalTests {
    @Test func `a signal completes the task that waits for it, and then has its old effect again`() throws {
      try withDeadline { () throws in
        let waiting = Aside { ThrowableTask.nextSignal(SIGURG, SIGWINCH).awaitResult() }
        #expect(Signals.comesToBeCaught(SIGWINCH))
        #expect(Signals.isCaught(SIGURG))
        #expect(!waiting.isDone)
        Signals.send(SIGWINCH)
        #expect(try waiting.result()?.get() == SIGWINCH)
        #expect(!Signals.isCaught(SIGWINCH) && !Signals.isCaught(SIGURG))
      }
    }

    @Test func `a task can wait again and again, and names each signal once`() throws {
      try withDeadline { () throws in
        let task = ThrowableTask.nextSignal(SIGWINCH, SIGWINCH)
        for _ in 1...20 {
          let waiting = Aside { task.awaitResult() }
          #expect(Signals.comesToBeCaught(SIGWINCH))
          Signals.send(SIGWINCH)
          #expect(try waiting.result()?.get() == SIGWINCH)
          #expect(!Signals.isCaught(SIGWINCH))
        }
      }
    }

    @Test func `one signal completes all who wait for it, and no others`() throws {
      try withDeadline { () throws in
        let done = Counter()
        let urgent = Counter()
        // An action that is called registers before it returns.
        for _ in 1...50 { ThrowableTask.nextSignal(SIGWINCH).action { _ in done.increment() } }
        ThrowableTask.nextSignal(SIGURG).action { _ in urgent.increment() }
        Signals.send(SIGWINCH)
        #expect(eventually { done.value == 50 })
        #expect(urgent.value == 0 && Signals.isCaught(SIGURG) && !Signals.isCaught(SIGWINCH))
        Signals.send(SIGURG)
        #expect(eventually { urgent.value == 1 })
        #expect(!Signals.isCaught(SIGURG))
      }
    }

    @Test func `a wait that is cancelled ends, and leaves the others their signal`() throws {
      try withDeadline { () throws in
        var task = ThrowableTask.nextSignal(SIGWINCH)
        let stays = Counter()
        ThrowableTask.nextSignal(SIGWINCH).action { _ in stays.increment() }
        for round in 1...50 {
          let waiting = Aside { [task] in task.awaitResult() }
          // Sometimes it waits already, sometimes not: it ends either way.
          if round.isMultiple(of: 2) { Thread.sleep(forTimeInterval: 0.001) }
          task.cancel()
          #expect(waiting.result()?.isCancelled == true)
          task.isCancelled = false
        }
        #expect(Signals.isCaught(SIGWINCH))
        Signals.send(SIGWINCH)
        #expect(eventually { stays.value == 1 })
        #expect(!Signals.isCaught(SIGWINCH))
      }
    }

    @Test func `when the last wait runs out of time, the signal has its old effect`() throws {
      try withDeadline { () throws in
        #expect(throws: TaskigError.timedOut) {
          try ThrowableTask.nextSignal(SIGWINCH).await(timeout: .milliseconds(20))
        }
        // The waiter is told before the run's own handlers have all been called.
        #expect(Signals.comesToBeCaught(SIGWINCH, false))
        #expect(throws: CancellableTaskError.taskWasCancelled) {
          let task = ThrowableTask.nextSignal(SIGWINCH)
          task.cancel()
          try task.await()
        }
        #expect(!Signals.isCaught(SIGWINCH))
      }
    }

    @Test func `the first of a signal and other work ends the wait for the signal`() throws {
      try withDeadline { () throws in
        let first = try [ThrowableTask.nextSignal(SIGWINCH), ThrowableTask { 0 }.delay(for: .milliseconds(10))]
          .awaitFirst()
        #expect(first == 0)
        #expect(Signals.comesToBeCaught(SIGWINCH, false))
        let other = Aside {
          [ThrowableTask.nextSignal(SIGWINCH), ThrowableTask { 0 }.delay(for: .seconds(60))].awaitFirstResult()
        }
        #expect(Signals.comesToBeCaught(SIGWINCH))
        Signals.send(SIGWINCH)
        #expect(try other.result()?.get() == SIGWINCH)
      }
    }

    @Test func `who waits without a thread may block when told, and holds nobody up`() throws {
      try withDeadline { () throws in
        let gate = Gate()
        let done = Counter()
        for number in 1...4 {
          ThrowableTask.nextSignal(SIGWINCH).async { _ in
            if number < 4 { gate.pass() }
            done.increment()
          }
        }
        // One that is started with `async` waits a moment later.
        #expect(
          eventually {
            Signals.send(SIGWINCH)
            return done.value == 1
          })
        gate.open()
        #expect(
          eventually {
            Signals.send(SIGWINCH)
            return done.value == 4
          })
      }
    }

    @Test func `the handler that was there before is there again, and has not been called`() async {
      await #expect(processExitsWith: .exitCode(7)) {
        exitLate()
        signal(SIGUSR1) { _ in exit(7) }
        let waiting = Aside { ThrowableTask.nextSignal(SIGUSR1).awaitResult() }
        guard Signals.comesToBeCaught(SIGUSR1) else { exit(1) }
        Signals.send(SIGUSR1)
        guard case .success(SIGUSR1)? = waiting.result() else { exit(2) }
        Signals.send(SIGUSR1)
        _ = blocking { Gate().pass() }
      }
    }

    @Test func `a handler that is set meanwhile stays`() async {
      await #expect(processExitsWith: .exitCode(8)) {
        exitLate()
        let task = ThrowableTask.nextSignal(SIGUSR1)
        let waiting = Aside { task.awaitResult() }
        guard Signals.comesToBeCaught(SIGUSR1) else { exit(1) }
        signal(SIGUSR1) { _ in exit(8) }
        task.cancel()
        guard case .failure? = waiting.result() else { exit(2) }
        Signals.send(SIGUSR1)
        _ = blocking { Gate().pass() }
      }
    }

    @Test func `a handler of Taskig's that somebody saves and puts back later does no harm`() async {
      await #expect(processExitsWith: .signal(SIGUSR1)) {
        exitLate()
        let task = ThrowableTask.nextSignal(SIGUSR1)
        let waiting = Aside { task.awaitResult() }
        guard Signals.comesToBeCaught(SIGUSR1) else { exit(1) }
        let saved = signal(SIGUSR1, SIG_IGN)
        task.cancel()
        guard case .failure? = waiting.result() else { exit(2) }
        signal(SIGUSR1, saved)
        Signals.send(SIGUSR1)
        _ = blocking { Gate().pass() }
      }
    }

    @Test func `when nobody waits any more, a signal ends the process as before`() async {
      await #expect(processExitsWith: .signal(SIGUSR1)) {
        exitLate()
        let waiting = Aside { ThrowableTask.nextSignal(SIGUSR1).awaitResult() }
        guard Signals.comesToBeCaught(SIGUSR1) else { exit(1) }
        Signals.send(SIGUSR1)
        guard case .success? = waiting.result() else { exit(2) }
        Signals.send(SIGUSR1)
        _ = blocking { Gate().pass() }
      }
    }

    @Test func `the common signals arrive`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD, SIGPIPE, SIGALRM, SIGTSTP, SIGCONT]
        for number in numbers {
          let waiting = Aside { ThrowableTask.nextSignal(number).awaitResult() }
          guard Signals.comesToBeCaught(number) else { exit(1) }
          Signals.send(number)
          guard case .success(number)? = waiting.result() else { exit(2) }
        }
      }
    }

    @Test func `waiting holds no thread`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        let done = Counter()
        ThrowableTask.nextSignal(SIGUSR1).action { _ in done.increment() }
        // Where the system does not say how many there are, nothing can be seen.
        guard let before = Machine.threads else { exit(0) }
        for _ in 1...200 { ThrowableTask.nextSignal(SIGUSR1).action { _ in done.increment() } }
        // Such as Dispatch brings for a moment go again; one that is held would stay.
        guard eventually({ (Machine.threads ?? .max) <= before + 2 }) else { exit(1) }
        Signals.send(SIGUSR1)
        guard eventually({ done.value == 201 }) else { exit(2) }
      }
    }

    @Test func `a signal that comes as soon as the action has run is not missed`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        for round in 1...Machine.stress(300) {
          let done = Gate()
          ThrowableTask.nextSignal(SIGUSR2).action { _ in done.open() }
          Signals.send(SIGUSR2)
          guard done.pass() else { exit(Int32(min(round, 90))) }
        }
      }
    }
  }
}
