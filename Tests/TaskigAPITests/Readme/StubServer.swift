import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers the README's requests inside this process: each with the last part of its path, so that tests need no network.
final class StubServer: URLProtocol {
  private static let isStarted = URLProtocol.registerClass(StubServer.self)

  /// Makes `URLSession.shared` ask here.
  static func start() {
    precondition(isStarted)
  }

  static func url(_ name: String) -> URL { URL(string: "http://stub.invalid/\(name)")! }

  override class func canInit(with request: URLRequest) -> Bool {
    ["stub.invalid", "www.google.com"].contains { request.url?.absoluteString.contains($0) ?? false }
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let url = request.url!
    let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data(url.lastPathComponent.utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}
