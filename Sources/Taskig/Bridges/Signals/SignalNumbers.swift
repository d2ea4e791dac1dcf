import Foundation

/// Signals that somebody may wait for, each once, as they were named at a place in the user's source.
struct SignalNumbers: Sendable {
  let all: [Int32]
  private let site: CallSite

  /// Takes signals' numbers; traps if one is none, or none that can be waited for.
  init(_ first: Int32, _ others: [Int32], at site: CallSite) {
    all = others.reduce(into: [first]) { all, number in if !all.contains(number) { all.append(number) } }
    self.site = site
    for number in all { Self.require(number, at: site) }
  }

  private static func require(_ number: Int32, at site: CallSite) {
    switch number {
    case SIGKILL, SIGSTOP:
      trap(
        "The signal \(number) (\(number == SIGKILL ? "SIGKILL" : "SIGSTOP")) cannot be waited for.",
        consequence: "The system lets no program see it, so the wait would never end.",
        remedy: "Wait for SIGTERM or SIGINT, which ask a program to end, or for SIGTSTP, which asks it to stop.",
        at: site)
    case SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS:
      trap(
        "The signal \(number) cannot be waited for: it tells of a fault in the very code that runs.",
        consequence: "That code would go on with its fault, for ever, instead of ending the program.",
        remedy: "Leave it to the system, which ends the program and says where it was.",
        at: site)
    case _ where number < 1 || SignalDisposition(of: number) == nil:
      trap(
        "There is no signal \(number) that a program can wait for.",
        consequence: "The wait would never end.",
        remedy: "Name signals by their constants, such as SIGINT, SIGTERM, SIGHUP or SIGUSR1.",
        at: site)
    default: break
    }
  }

  /// Stops the program, since the system gives no way to hear of signals.
  func trapUnheard() -> Never {
    trap(
      "The system gives no pipe or no thread to wait for signals with.",
      consequence: "No signal could be heard.",
      remedy: "Find out what uses up this process's file descriptors or threads.",
      at: site)
  }
}
