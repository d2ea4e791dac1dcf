import Foundation

@testable import Taskig

/// Real signals, sent to this process by itself, and what it does on them.
///
/// Signals belong to the whole process. Tests beside others use those that have no effect by default, `SIGWINCH` and `SIGURG`,
/// and take turns; all others are tested in processes of their own.
enum Signals {
  static func send(_ number: Int32) { kill(getpid(), number) }

  /// Whether somebody waits for the signal, so that it does nothing else.
  static func isCaught(_ number: Int32) -> Bool {
    SignalDisposition(of: number)?.calls(the: SignalPipe.disposition) == true
  }

  /// Whether somebody comes to wait for the signal, or nobody does any more.
  static func comesToBeCaught(_ number: Int32, _ expected: Bool = true) -> Bool {
    eventually { isCaught(number) == expected }
  }

  /// Sets the default effects: what started the tests may have had them ignored, as a shell does in the background.
  static func reset(_ numbers: Int32...) {
    for number in numbers { signal(number, SIG_DFL) }
  }
}
