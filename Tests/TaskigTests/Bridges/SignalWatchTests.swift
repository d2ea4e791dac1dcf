import Foundation
import Testing

@testable import Taskig

extension SignalTests {
  /// Watches, which miss no signal between two waits.
  @Suite(.serialized) struct WatchTests {
    @Test func `what comes while nobody waits is kept, of several alike one`() throws {
      try withDeadline { () throws in
        let watch = SignalWatch(SIGWINCH, SIGURG)
        let seen = Counter()
        let witness = SignalWatch(SIGWINCH)
        for _ in 1...3 {
          Signals.send(SIGWINCH)
          // Each has come before the next is sent.
          #expect(try witness.next.await() == SIGWINCH)
          seen.increment()
        }
        Signals.send(SIGURG)
        #expect(try watch.next.await() == SIGWINCH)
        #expect(try watch.next.await() == SIGURG)
        #expect(throws: TaskigError.timedOut) { try watch.next.await(timeout: .milliseconds(20)) }
        witness.stop()
        watch.stop()
        #expect(seen.value == 3 && !Signals.isCaught(SIGWINCH) && !Signals.isCaught(SIGURG))
      }
    }

    @Test func `a signal that comes is told to all who wait`() throws {
      try withDeadline { () throws in
        let watch = SignalWatch(SIGWINCH)
        let told = Counter()
        for _ in 1...10 { watch.next.action { _ in told.increment() } }
        Signals.send(SIGWINCH)
        #expect(eventually { told.value == 10 })
        // It has been taken, and is not kept besides.
        #expect(throws: TaskigError.timedOut) { try watch.next.await(timeout: .milliseconds(20)) }
        #expect(Signals.isCaught(SIGWINCH))
      }
    }

    @Test func `a watch that is let go of watches no longer`() throws {
      try withDeadline { () throws in
        #expect(throws: TaskigError.timedOut) {
          try SignalWatch(SIGWINCH).next.await(timeout: .milliseconds(20))
        }
        #expect(Signals.comesToBeCaught(SIGWINCH, false))
        // As long as somebody waits, it does.
        let waiting = Aside { SignalWatch(SIGWINCH).next.awaitResult() }
        #expect(Signals.comesToBeCaught(SIGWINCH))
        Signals.send(SIGWINCH)
        #expect(try waiting.result()?.get() == SIGWINCH)
        #expect(Signals.comesToBeCaught(SIGWINCH, false))
      }
    }

    @Test func `who waits for a watch that is stopped is told so, and what was kept can be taken`() throws {
      try withDeadline { () throws in
        let watch = SignalWatch(SIGWINCH, SIGURG)
        let told = Held<Int32>()
        let results = Box<[Bool]>([])
        watch.next.action { results.value.append($0.isCancelled) }
        watch.stop()
        #expect(results.value == [true] && told.count == 0)
        #expect(watch.next.awaitResult().isCancelled)

        let other = SignalWatch(SIGWINCH, SIGURG)
        let witness = SignalWatch(SIGURG)
        Signals.send(SIGURG)
        #expect(try witness.next.await() == SIGURG)
        other.stop()
        #expect(try other.next.await() == SIGURG)
        #expect(other.next.awaitResult().isCancelled)
      }
    }

    @Test func `a wait that is cancelled leaves the signal to the next`() throws {
      try withDeadline { () throws in
        let watch = SignalWatch(SIGWINCH)
        for _ in 1...20 {
          let task = watch.next
          let waiting = Aside { task.awaitResult() }
          task.cancel()
          #expect(waiting.result()?.isCancelled == true)
        }
        let waiting = Aside { watch.next.awaitResult() }
        Signals.send(SIGWINCH)
        #expect(try waiting.result()?.get() == SIGWINCH)
      }
    }

    @Test(arguments: [true, false])
    func `a signal that comes as the wait for it ends is told or kept, and not both`(byTimeout: Bool) throws {
      try withDeadline { () throws in
        let watch = SignalWatch(SIGWINCH)
        let (told, isOver) = (Counter(), Gate())
        let waiting = Aside {
          var moments = SeededRandom(Machine.seed)
          while !isOver.pass(within: 0) {
            let moment = Duration.microseconds(Int.random(in: 50...400, using: &moments))
            let result: TaskResult<Int32>
            if byTimeout {
              result = TaskResult { try watch.next.await(timeout: moment) }
            } else {
              let task = watch.next
              ThrowableTask { task.cancel() }.delay(for: moment).async()
              result = task.awaitResult()
            }
            if case .success = result { told.increment() }
          }
          return true
        }
        let rounds = Machine.stress(200)
        for round in 1...rounds {
          Signals.send(SIGWINCH)
          guard eventually({ told.value >= round }) else { break }
        }
        isOver.open()
        #expect(waiting.result() == true)
        #expect(told.value == rounds)
        #expect(throws: TaskigError.timedOut) { try watch.next.await(timeout: .milliseconds(20)) }
      }
    }

    @Test func `a signal that is taken by a wait inside a task leaves that task to be cancelled`() throws {
      try withDeadline { () throws in
        let watch = SignalWatch(SIGWINCH)
        let told = Gate()
        let task = ThrowableTask {
          // Called by itself, the action is a part of this run.
          watch.next.action { _ in told.open() }
          Signals.send(SIGWINCH)
          told.pass()
          try watch.next.await(timeout: .seconds(60))
        }
        let waiting = Aside { task.awaitResult() }
        #expect(told.pass())
        task.cancel()
        #expect(waiting.result()?.isCancelled == true)
      }
    }
  }
}
