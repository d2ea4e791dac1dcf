import Foundation

enum Machine {
  /// The calling thread, told from all others that are alive.
  static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  /// How many threads this process has; `nil` where the system does not say.
  static var threads: Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }

  /// Whether this process soon has no more threads than that, as far as the system says; idle ones end after some seconds.
  static func comesDown(toThreads count: Int) -> Bool { eventually { (threads ?? 0) <= count } }

  /// The most memory that this process has had, in a unit that is another on each system.
  static var peakMemory: Int {
    // Linux has a process begin with the peak of the one that started it, so there it is looked up where that is not so.
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    if let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) {
      return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    var usage = rusage()
    // This process; the name for it has another type on each system.
    getrusage(0, &usage)
    return usage.ru_maxrss
  }

  /// Lets this process have only so many files open, from now on; for the process of an exit test.
  ///
  /// It is some more if a file with a higher number is open, which is inherited: with a limit below that, nothing could be started.
  static func limitFiles(to atLeast: Int) {
    let highest = (0..<4_096).last { fcntl(Int32($0), F_GETFD) != -1 } ?? 0
    let count = max(atLeast, highest + 60)
    var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: rlim_t(count))
    #if os(Linux)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
      setrlimit(RLIMIT_NOFILE, &limit)
    #endif
  }

  static let cores = ProcessInfo.processInfo.activeProcessorCount

  /// How often a stress test repeats what it does: `rounds`, times the factor in `TASKIG_STRESS`.
  static func stress(_ rounds: Int) -> Int { scaled(rounds, by: "TASKIG_STRESS") }

  /// How deep a test nests awaits: `levels`, times the factor in `TASKIG_DEPTH`.
  ///
  /// ThreadSanitizer notes the whole stack with each allocation, and takes time for each level of it.
  static func depth(_ levels: Int) -> Int { scaled(levels, by: "TASKIG_DEPTH") }

  /// How long a test waits for what should come soon: `seconds`, times the factor in `TASKIG_PATIENCE`.
  static func patience(_ seconds: Double) -> Double {
    seconds * (ProcessInfo.processInfo.environment["TASKIG_PATIENCE"].flatMap(Double.init) ?? 1)
  }

  /// What a random test begins with: the number in `TASKIG_SEED`.
  static var seed: UInt64 { ProcessInfo.processInfo.environment["TASKIG_SEED"].flatMap(UInt64.init) ?? 1 }

  private static func scaled(_ number: Int, by variable: String) -> Int {
    let factor = ProcessInfo.processInfo.environment[variable].flatMap(Double.init) ?? 1
    return max(1, Int(Double(number) * factor))
  }
}
