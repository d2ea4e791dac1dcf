import Foundation
import Synchronization
import Testing

@testable import Taskig

extension SignalTests {
  /// Waits beside handlers of the user's, floods and forks; each in a process of its own.
  @Suite(.serialized) struct HandlerTests {
    private static let calls = Atomic(0)

    private static var callsSoFar: Int { calls.load(ordering: .sequentiallyConsistent) }

    private typealias Handler = @convention(c) (Int32) -> Void

    /// The handler that was there before, as a number, since a handler may read no more than that.
    private static let previous = Atomic(0)

    /// Sets a handler that counts its calls.
    private static func count(_ number: Int32) {
      signal(number) { _ in HandlerTests.calls.add(1, ordering: .sequentiallyConsistent) }
    }

    /// Sets one that hands on to the one before, as those of libraries do.
    private static func countAndHandOn(_ number: Int32) {
      let before = signal(number) { number in
        HandlerTests.calls.add(1, ordering: .sequentiallyConsistent)
        unsafeBitCast(HandlerTests.previous.load(ordering: .sequentiallyConsistent), to: Handler.self)(number)
      }
      previous.store(unsafeBitCast(before, to: Int.self), ordering: .sequentiallyConsistent)
    }

    @Test func `a handler that is set in a scope and hands on to the one before is called once`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        try blocking { try Task.cancelling(on: SIGUSR1) { HandlerTests.countAndHandOn(SIGUSR1) } }
        Signals.send(SIGUSR1)
        guard eventually({ HandlerTests.callsSoFar > 0 }) else { exit(1) }
        // A signal that comes back again and again does so hundreds of times meanwhile.
        usleep(100_000)
        guard HandlerTests.callsSoFar == 1 else { exit(2) }
      }
    }

    @Test func `a handler that hands on makes no storm after another scope either`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        try blocking { try Task.cancelling(on: SIGUSR1) { HandlerTests.countAndHandOn(SIGUSR1) } }
        try blocking { try Task.cancelling(on: SIGUSR1) {} }
        Signals.send(SIGUSR1)
        guard eventually({ HandlerTests.callsSoFar > 0 }) else { exit(1) }
        // As above.
        usleep(100_000)
        guard HandlerTests.callsSoFar <= 2 else { exit(2) }
      }
    }

    @Test func `who comes to wait after a handler was set is told, and so are those before`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        let told = Counter()
        ThrowableTask.nextSignal(SIGUSR1).action { _ in told.increment() }
        HandlerTests.count(SIGUSR1)
        ThrowableTask.nextSignal(SIGUSR1).action { _ in told.increment() }
        Signals.send(SIGUSR1)
        guard eventually({ told.value == 2 }), HandlerTests.callsSoFar == 0 else { exit(1) }
        Signals.send(SIGUSR1)
        guard eventually({ HandlerTests.callsSoFar == 1 }) else { exit(2) }
      }
    }

    @Test func `a signal that comes as the time is up is told, or does what it did before`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        HandlerTests.count(SIGUSR1)
        let (told, isOver) = (Counter(), Gate())
        let waiting = Aside {
          var moments = SeededRandom(Machine.seed)
          while !isOver.pass(within: 0) {
            let moment = Duration.microseconds(Int.random(in: 50...5_000, using: &moments))
            if (try? ThrowableTask.nextSignal(SIGUSR1).await(timeout: moment)) != nil { told.increment() }
          }
          return true
        }
        var round = 0
        // At first, nobody may wait yet.
        while round < Machine.stress(200) || told.value == 0 {
          round += 1
          Signals.send(SIGUSR1)
          guard eventually({ told.value + HandlerTests.callsSoFar >= round }) else { exit(1) }
          guard told.value + HandlerTests.callsSoFar == round else { exit(2) }
        }
        isOver.open()
        guard waiting.result() == true else { exit(3) }
      }
    }

    @Test func `a signal that came before a watch is stopped or a scope ends does nothing else`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        Signals.reset(SIGUSR1)
        try blocking {
          try SignalMask.taking([SIGUSR1]) {
            for _ in 1...Machine.stress(100) {
              let watch = SignalWatch(SIGUSR1)
              raise(SIGUSR1)
              watch.stop()
              guard try watch.next.await() == SIGUSR1 else { exit(1) }
              try Task.cancelling(on: SIGUSR1) { _ = raise(SIGUSR1) }
            }
          }
        }
        // What is sent again would have come by now.
        usleep(50_000)
      }
    }

    @Test func `a flood of one signal loses no other`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        let gate = Gate()
        let numbers = SignalNumbers(SIGUSR1, [], at: CallSite(#fileID, #line))
        // It holds up the thread that reads.
        let waiting = SignalDesk.shared.wait(for: numbers, stays: true) { _ in
          { gate.pass() }
        }
        let result = blocking {
          TaskResult {
            try Task.cancelling(on: SIGTERM) {
              SignalMask.taking([SIGUSR1]) {
                // More than there is room for in a pipe.
                for _ in 1...70_000 { raise(SIGUSR1) }
              }
              raise(SIGTERM)
              gate.open()
              try Task.sleep(for: .seconds(60))
            }
          }
        }
        guard result.error as? CancelledBySignal == CancelledBySignal(number: SIGTERM) else { exit(1) }
        SignalDesk.shared.leave(waiting)
      }
    }

    @Test func `a signal that a forked child gets ends the child, and is not told here`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        exitLate()
        Signals.reset(SIGUSR1)
        let watch = SignalWatch(SIGUSR1)
        // Swift hides it, since a child can go on with next to nothing; C libraries call it all the same.
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = dlsym(nil, "fork") else { exit(1) }
        let fork = unsafeBitCast(symbol, to: Fork.self)
        let status = SignalMask.taking([SIGUSR1]) { () -> Int32 in
          let child = fork()
          if child == 0 {
            raise(SIGUSR1)
            _exit(3)
          }
          var status: Int32 = 0
          waitpid(child, &status, 0)
          return status
        }
        // ThreadSanitizer, which delivers signals itself, does not do so in a forked child.
        guard status & 0x7f == SIGUSR1 || dlsym(nil, "__tsan_init") != nil else { exit(2) }
        guard (try? blocking { try watch.next.await(timeout: .milliseconds(50)) }) == nil else { exit(3) }
        Signals.send(SIGUSR1)
        guard (try? blocking { try watch.next.await(timeout: .seconds(20)) }) == SIGUSR1 else { exit(4) }
      }
    }
  }
}
