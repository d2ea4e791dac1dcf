#if os(macOS) || os(Linux)
  @testable import Taskig

  /// A child that is a shell with a script; what comes after it are `$1` and so on.
  func shell(_ script: String, _ arguments: String...) -> ChildProcess {
    ChildProcess("/bin/sh", arguments: ["-c", script, "sh"] + arguments)
  }
#endif
