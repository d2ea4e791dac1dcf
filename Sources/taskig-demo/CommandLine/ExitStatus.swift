/// What the program exits with; its own errors follow the BSD convention in sysexits.h.
struct ExitStatus: Equatable, Sendable {
  let code: Int32

  init(_ code: Int32) { self.code = code }

  static let success = ExitStatus(0)
  static let failure = ExitStatus(1)
  static let usage = ExitStatus(64)
  static let noInput = ExitStatus(66)
  static let ioError = ExitStatus(74)
}
