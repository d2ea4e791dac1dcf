import Foundation

/// What the system said when it refused something.
struct SystemFault: Error, Equatable {
  let code: Int32

  /// What the last call of the system on this thread failed with.
  static var last: SystemFault { SystemFault(code: errno) }

  var text: String { String(cString: strerror(code)) }
}

extension SystemFault {
  /// What the system said before Foundation made `error` of it; `nil` if it has not been asked.
  init?(behind error: any Error) {
    if let fault = error as? SystemFault {
      self = fault
      return
    }
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain {
      self.init(code: Int32(truncatingIfNeeded: error.code))
    } else if let underlying = error.userInfo[NSUnderlyingErrorKey] as? any Error {
      self.init(behind: underlying)
    } else {
      return nil
    }
  }
}
