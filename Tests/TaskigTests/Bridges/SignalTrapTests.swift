import Foundation
import Testing

@testable import Taskig

extension SignalTests {
  /// What cannot be waited for stops the program.
  struct SignalTrapTests {
    private func expect(_ result: ExitTest.Result?, says texts: String..., location: SourceLocation = #_sourceLocation)
    {
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      for text in texts + ["SignalTrapTests.swift:"] {
        #expect(said.contains(text), "standard error was: \(said)", sourceLocation: location)
      }
    }

    @Test func `signals that no program can wait for trap`() async {
      let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        _ = ThrowableTask.nextSignal(SIGINT, SIGKILL)
      }
      expect(result, says: "SIGKILL", "never end", "SIGTERM")
      await #expect(processExitsWith: .signal(SIGILL)) { _ = SignalWatch(SIGSTOP) }
      await #expect(processExitsWith: .signal(SIGILL)) { _ = try blocking { try Task.cancelling(on: SIGKILL) {} } }
    }

    @Test(arguments: [0, 1_000, .min]) func `numbers that are no signals trap`(number: Int32) async {
      let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) { [number] in
        _ = ThrowableTask.nextSignal(number)
      }
      expect(result, says: "no signal \(number)", "SIGUSR1")
    }

    @Test func `signals that tell of a fault in the program trap`() async {
      let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        _ = ThrowableTask.nextSignal(SIGSEGV)
      }
      expect(result, says: "fault", "Leave it to the system")
    }

    @Test func `a script that is not run on the main thread traps`() async {
      let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        Thread.detachNewThread { Script.run {} }
        _ = blocking { Gate().pass() }
      }
      expect(result, says: "main thread", "main.swift")
    }

    @Test func `an exit status that does not fit traps`() async {
      let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        _ = Script.Exit(256)
      }
      expect(result, says: "256", "arrive as 0", "255")
      await #expect(processExitsWith: .signal(SIGILL)) { _ = Script.Exit(-1) }
    }
  }
}
