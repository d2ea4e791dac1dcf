import Taskig

/// How a job ended.
enum JobEnding: Sendable {
  case exit(Int32)
  case signal(Int32)
  case timedOut(Duration)
  /// Its program could not be started; the reason is a whole sentence, the status what a shell would give.
  case notStarted(reason: String, status: Int32)

  init(_ ending: ChildProcessEnding) {
    switch ending {
    case .exit(let status): self = .exit(status)
    case .signal(let number): self = .signal(number)
    // Only where SIGCHLD is ignored, and the command sees to it that it is not.
    case .unknown: self = .exit(255)
    }
  }

  var isSuccess: Bool {
    if case .exit(0) = self { true } else { false }
  }

  /// Whether the same command may end otherwise next time.
  var isWorthAnother: Bool {
    if case .notStarted = self { false } else { !isSuccess }
  }

  /// What it exited with, if it did.
  var status: Int32? {
    switch self {
    case .exit(let status), .notStarted(_, let status): status
    case .signal, .timedOut: nil
    }
  }

  /// The number of the signal that ended it, if one did.
  var signal: Int32? {
    if case .signal(let number) = self { number } else { nil }
  }

  /// The ending as the second half of a sentence.
  var text: String {
    switch self {
    case .exit(let status): "\(ChildProcessEnding.exit(status))"
    case .signal(let number): "\(ChildProcessEnding.signal(number))"
    case .timedOut(let time): "took longer than \(time.text) and was ended"
    case .notStarted(let reason, _): reason
    }
  }
}
