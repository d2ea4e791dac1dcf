import Foundation

extension Error {
  /// What the system said, in its own words, if it was asked; otherwise what the error says of itself.
  var systemReason: String {
    let error = self as NSError
    if error.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(error.code))) }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error)?.systemReason ?? localizedDescription
  }
}
