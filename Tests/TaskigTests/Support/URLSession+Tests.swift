import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// The tests' own.
  ///
  /// The shared one asks those protocols that are registered when it is first used, and other tests of this process register one
  /// for it.
  static let ofTests = URLSession(configuration: .default)
}
