import Foundation

enum Machine {
  /// The calling thread, told from all others that are alive.
  static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  /// How many threads this process has; `nil` where the system does not say.
  static var threads: Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }

  static let cores = ProcessInfo.processInfo.activeProcessorCount

  /// How often a stress test repeats what it does: `rounds`, times the factor in `TASKIG_STRESS`.
  static func stress(_ rounds: Int) -> Int {
    let factor = ProcessInfo.processInfo.environment["TASKIG_STRESS"].flatMap(Double.init) ?? 1
    return max(1, Int(Double(rounds) * factor))
  }
}
