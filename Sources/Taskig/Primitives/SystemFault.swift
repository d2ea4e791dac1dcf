import Foundation

/// What the system said when it refused something.
struct SystemFault: Error, Equatable {
  let code: Int32

  /// What the last call of the system on this thread failed with.
  static var last: SystemFault { SystemFault(code: errno) }

  var text: String { String(cString: strerror(code)) }
}
