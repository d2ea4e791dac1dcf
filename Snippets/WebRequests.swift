import Foundation
import Synchronization
import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let session = Web.session
let url = URL(string: "https://example.com/page")!

// The whole body, and the head.
let (data, response) = try session.fetch(url).await()
print(response.statusCode, String(decoding: data, as: UTF8.self))

// What the server is asked for can be told in full.
var request = URLRequest(url: URL(string: "https://example.com/echo")!)
request.httpMethod = "PUT"
request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
print(try session.fetch(request).map { $0.1.statusCode }.await())

let missing = URL(string: "https://example.com/missing")!

// 404 is an answer, unless you say that nothing but success will do.
do {
  try session.fetch(missing).requiringSuccess().await()
} catch let error as HTTPStatusError {
  print(error.status, String(decoding: error.body, as: UTF8.self))
}

let (page, _) = try session.fetch(url).requiringSuccess().retry(attempts: 3).await()

let busy = URL(string: "https://example.com/busy")!

// Another attempt is worth it where the server, or the way to it, is in trouble.
let patient = session.fetch(busy).requiringSuccess()
  .retry(attempts: 5, backoff: .exponential(from: .milliseconds(10))) { error in
    guard let error = error as? HTTPStatusError else { return error is URLError }
    return error.status >= 500
  }
print(String(decoding: try patient.await().0, as: UTF8.self))

let urls = (1...6).map { URL(string: "https://example.com/\($0)")! }

// Many, four at a time.
let pages = try urls.map { session.fetch($0).requiringSuccess() }.awaitAll(concurrency: 4)
print(pages.map { String(decoding: $0.0, as: UTF8.self) })

let mirrors = [missing, url]

// The first mirror that has it; the others are called off.
let (copy, _) = try mirrors.map { session.fetch($0).requiringSuccess() }.awaitFirstSuccess()
print(copy == page)

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

// Into a file, which is there when all of it is.
let file = folder.appendingPathComponent("page.txt")
let download = session.fetch(url, to: file) { progress in
  if progress.fraction == 1 { print("all \(progress.received) bytes have come") }
}
try download.await()
print(try String(contentsOf: file, encoding: .utf8))

let slow = URL(string: "https://example.com/slow")!

// When the time is up, the request is ended, and its connection closed.
do {
  try session.fetch(slow).await(timeout: .milliseconds(100))
} catch TaskigError.timedOut {
  print("not done in time")
}

try FileManager.default.removeItem(at: folder)

/// What stands for the web here, so that this runs without a network.
final class Web: URLProtocol {
  static let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Web.self]
    return URLSession(configuration: configuration)
  }()

  private static let busyAnswers = Atomic(0)

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    switch request.url?.path {
    case "/page": answer(200, "the page")
    case "/missing": answer(404, "nothing here")
    case "/busy": Self.busyAnswers.add(1, ordering: .relaxed).newValue < 3 ? answer(503, "later") : answer(200, "now")
    case "/echo": answer(201, request.httpMethod ?? "")
    case "/slow": break
    case let path: answer(200, String(path?.dropFirst() ?? ""))
    }
  }

  override func stopLoading() {}

  private func answer(_ status: Int, _ text: String) {
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: ["Content-Length": "\(text.utf8.count)"])
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data(text.utf8))
    client?.urlProtocolDidFinishLoading(self)
  }
}
