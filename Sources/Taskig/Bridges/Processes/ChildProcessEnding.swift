#if os(macOS) || os(Linux)
  import Foundation

  /// How a ``ChildProcess`` ended.
  public enum ChildProcessEnding: Sendable, Hashable {
    /// It exited with this status, 0 to 255.
    case exit(Int32)
    /// A signal of this number ended it.
    case signal(Int32)
    /// Somebody else in this process waited for it, or children are not to be waited for (`SIGCHLD` is ignored), so nobody told.
    case unknown
  }

  extension ChildProcessEnding {
    /// Makes sense of what the system says of a child's end.
    init(status: Int32?) {
      guard let status else {
        self = .unknown
        return
      }
      let signal = status & 0x7f
      self = signal == 0 ? .exit((status >> 8) & 0xff) : .signal(signal)
    }
  }

  extension ChildProcessEnding: CustomStringConvertible {
    /// How it ended, as the second half of a sentence.
    public var description: String {
      switch self {
      case .exit(let status): "exited with status \(status)"
      case .signal(let number): "was ended by signal \(number) (\(String(cString: strsignal(number))))"
      case .unknown: "ended in a way that nobody told"
      }
    }
  }
#endif
