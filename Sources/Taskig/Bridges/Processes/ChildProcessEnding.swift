#if os(macOS) || os(Linux)
  import Foundation

  /// How a ``ChildProcess`` ended.
  public enum ChildProcessEnding: Sendable, Hashable {
    /// It exited with this status, 0 to 255.
    case exit(Int32)
    /// A signal of this number ended it.
    case signal(Int32)
    /// Children are not to be waited for, since `SIGCHLD` is ignored, so nobody told.
    case unknown
  }

  extension ChildProcessEnding {
    /// Makes sense of what the system says; `nil` as long as the child runs, or Foundation has been told and says it soon.
    init?(_ end: ProcessEnd) {
      switch end {
      case .notYet, .reaped: return nil
      case .exit(let status): self = .exit(status)
      case .signal(let number): self = .signal(number)
      }
    }

    /// Makes sense of what Foundation says, which on Linux takes what it has not been told for an exit with status 0.
    init(of process: Process) {
      let status = process.terminationStatus
      if SignalDisposition(of: SIGCHLD)?.isIgnored == true {
        self = .unknown
      } else {
        self = process.terminationReason == .exit ? .exit(status) : .signal(status)
      }
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
