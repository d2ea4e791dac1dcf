#if os(macOS) || os(Linux)
  import Foundation

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The end of a child process, which is noticed first and then taken note of.
  ///
  /// In between it is a zombie: its number, and so that of its group, belongs to nobody else.
  enum ProcessEnd {
    /// Whether the child has ended, which changes nothing; or is none any more, since somebody else has reaped it.
    static func hasCome(to child: pid_t) -> Bool {
      var info = siginfo_t()
      while waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 {
        if errno != EINTR { return true }
      }
      return info.si_signo != 0
    }

    /// Lets go of a child that has ended, and with it of its number; how it ended, as the system encodes it, or `nil` if somebody
    /// else has done so.
    static func reap(_ child: pid_t) -> Int32? {
      var status: Int32 = 0
      while true {
        if waitpid(child, &status, 0) == child { return status }
        if errno != EINTR { return nil }
      }
    }

    #if canImport(Darwin)
      /// What can be read once the child has ended; `nil` if the system has no such thing.
      static func notice(of child: pid_t) -> Descriptor? {
        guard let queue = try? Descriptor(kqueue()) else { return nil }
        var request = kevent(
          ident: UInt(child), filter: Int16(EVFILT_PROC), flags: UInt16(EV_ADD),
          fflags: UInt32(truncatingIfNeeded: NOTE_EXIT), data: 0, udata: nil)
        return kevent(queue.number, &request, 1, nil, 0, nil) == 0 ? queue : nil
      }
    #else
      /// The number of `pidfd_open` among Linux's calls, the same for all processors.
      private static let openCall = 434

      /// What can be read once the child has ended; `nil` if the system has no such thing, as before Linux 5.3.
      static func notice(of child: pid_t) -> Descriptor? {
        guard let symbol = dlsym(nil, "syscall") else { return nil }
        typealias Call = @convention(c) (Int, Int, Int) -> Int
        return try? Descriptor(Int32(truncatingIfNeeded: unsafeBitCast(symbol, to: Call.self)(openCall, Int(child), 0)))
      }
    #endif
  }
#endif
