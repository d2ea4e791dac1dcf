import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// The tests' own; the shared one is for those that stand in for the web.
  static let ofTests = {
    registerStandIns
    return URLSession(configuration: .default)
  }()

  /// Registers what stands in for the web in the other tests of this process, before any session is made.
  ///
  /// Foundation on Linux asks protocols in the order in which they were registered, and registers its own with the first session.
  static let registerStandIns: Void = {
    for module in ["TaskigAPITests", "TaskigAPISwift5Tests"] {
      if let standIn = NSClassFromString("\(module).StubServer") as? URLProtocol.Type {
        _ = URLProtocol.registerClass(standIn)
      }
    }
  }()
}
