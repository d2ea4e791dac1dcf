import Foundation

extension Error {
  /// What the system says is wrong, in a few words without a full stop, where it has said so; otherwise what Foundation does.
  var systemReason: String {
    guard let code = systemCode else {
      let text = (self as NSError).localizedFailureReason ?? localizedDescription
      return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
    return String(cString: strerror(code))
  }

  /// The system's number for what is wrong.
  var systemCode: Int32? {
    var next: NSError? = self as NSError
    while let error = next {
      if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
      next = error.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return nil
  }
}
