import Foundation

/// One of the two streams that a job writes to, and what it goes to in the end.
enum JobStream: Sendable {
  case output
  case errors

  var target: Output {
    switch self {
    case .output: .standard
    case .errors: .standardError
    }
  }

  var descriptor: Int32 {
    switch self {
    case .output: STDOUT_FILENO
    case .errors: STDERR_FILENO
    }
  }
}
