#if os(macOS) || os(Linux)
  import Foundation

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Whether and how a child process has ended, as far as the system tells.
  enum ProcessEnd: Equatable {
    case notYet
    case exit(Int32)
    case signal(Int32)
    /// Somebody has been told already, and nobody is told twice.
    case reaped

    /// Looks at the child, which changes nothing: whoever waits for it is told too.
    init(of child: pid_t) {
      var info = siginfo_t()
      while waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 {
        guard errno == EINTR else {
          self = .reaped
          return
        }
      }
      if info.si_signo == 0 {
        self = .notYet
      } else {
        let status = Self.status(in: info) & 0xff
        self = Int(info.si_code) == Int(CLD_EXITED) ? .exit(status) : .signal(status)
      }
    }

    private static func status(in info: siginfo_t) -> Int32 {
      #if canImport(Darwin)
        info.si_status
      #elseif canImport(Musl)
        info.__si_fields.__si_common.__second.__sigchld.si_status
      #else
        info._sifields._sigchld.si_status
      #endif
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
