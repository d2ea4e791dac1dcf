#if os(macOS) || os(Linux)
  import Foundation

  @testable import Taskig

  /// A mark by which a test finds the processes that it has started, their children's children included.
  ///
  /// It is a number of seconds to sleep that nobody else sleeps, since that is what all of them show.
  struct ProcessMark: Sendable {
    /// Longer than a test takes that finds them still there, and so that what a failing one leaves behind does not stay for long.
    let seconds = "\(Int(Machine.patience(120))).\(UInt64.random(in: 1_000_000_000...9_999_999_999))"

    /// The processes with the mark that are alive.
    var processes: [pid_t] {
      if let numbers = try? FileManager.default.contentsOfDirectory(atPath: "/proc") {
        // What is a zombie has no command any more.
        return numbers.compactMap { pid_t($0) }.filter { number in
          let command = FileManager.default.contents(atPath: "/proc/\(number)/cmdline")
          return command.map { String(decoding: $0, as: UTF8.self).contains(seconds) } ?? false
        }
      }
      let lines = (try? ChildProcess("ps", "-axww", "-o", "pid,command").await().lines) ?? []
      return lines.filter { $0.contains(seconds) }.compactMap { line in
        line.split(separator: " ").first.flatMap { pid_t($0) }
      }
    }

    /// Ends what a test has left on purpose; whether that succeeds.
    func end() -> Bool {
      eventually {
        for process in processes { kill(process, SIGKILL) }
        return processes.isEmpty
      }
    }

    /// Whether so many processes with the mark come to be alive.
    ///
    /// It is looked again if it was so for a moment only: a child that was being started as it was called off comes and goes.
    func comes(to count: Int) -> Bool { (0..<3).contains { _ in eventually { processes.count == count } } }
  }
#endif
