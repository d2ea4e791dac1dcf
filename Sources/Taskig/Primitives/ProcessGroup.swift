#if os(macOS) || os(Linux)
  import Foundation

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Whether anybody is left in a process group.
  enum ProcessGroup {
    /// Whether the group has a member, and be it one that has ended and not been reaped.
    static func exists(_ group: pid_t) -> Bool { kill(-group, 0) == 0 || errno != ESRCH }

    /// Whether the group has a member that may still do something.
    ///
    /// On Linux all processes are looked through, which takes some milliseconds, and one that is started just then may be missed.
    /// It is worth that where nobody reaps what has lost its parent, as in many containers: there a group with such members exists
    /// for good. Darwin's `kill` does not count them.
    static func hasLivingMember(_ group: pid_t) -> Bool {
      guard exists(group) else { return false }
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else { return true }
      return names.contains { Int($0) != nil && isLiving("/proc/\($0)/stat", in: group) }
    }

    private static func isLiving(_ file: String, in group: pid_t) -> Bool {
      guard let data = FileManager.default.contents(atPath: file) else { return false }
      // The program's name is in brackets, and may hold anything. After it come the state, the parent and the group.
      let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 2 && pid_t(fields[2]) == group && !["Z", "X"].contains(fields[0])
    }
  }
#endif
