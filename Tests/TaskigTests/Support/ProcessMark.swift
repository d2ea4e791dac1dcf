#if os(macOS) || os(Linux)
  import Foundation

  @testable import Taskig

  /// A mark by which a test finds the processes that it has started, their children's children included.
  ///
  /// It is a number of seconds to sleep that nobody else sleeps, since that is what all of them show.
  struct ProcessMark: Sendable {
    /// About a minute, so that what a failing test leaves behind does not stay for long.
    let seconds = "60.\(UInt64.random(in: 1_000_000_000...9_999_999_999))"

    /// The commands with the mark that are alive.
    var commands: [String] {
      let all: [String]
      if let processes = try? FileManager.default.contentsOfDirectory(atPath: "/proc") {
        // What is a zombie has no command any more.
        all = processes.filter { Int($0) != nil }.compactMap { process in
          FileManager.default.contents(atPath: "/proc/\(process)/cmdline").map { String(decoding: $0, as: UTF8.self) }
        }
      } else {
        all = (try? ChildProcess("ps", "-axww", "-o", "command").await().lines) ?? []
      }
      return all.filter { $0.contains(seconds) }
    }

    /// Whether so many of them come to be alive.
    func comes(to count: Int) -> Bool { eventually { commands.count == count } }
  }
#endif
