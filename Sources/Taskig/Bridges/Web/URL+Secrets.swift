import Foundation

extension URL {
  /// The URL as it may stand in a message: without a name and a password.
  var addressWithoutSecrets: String {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return absoluteString }
    (parts.user, parts.password) = (nil, nil)
    return parts.string ?? absoluteString
  }
}
