// swift-format-ignore-file
// The code between the marks stands as the original Taskig's README has it.
import Foundation
import Taskig
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// README
extension URL: ThrowableTaskType {
    typealias ReturnType = (Data, HTTPURLResponse)

    public var executionQueue: DispatchQueue { return DispatchQueue.global() }

    // The README has no `@Sendable`. Swift 6 wants it here, whatever a library does: `dataTask` takes a handler that may run
    // on another thread, and such a handler captures nothing that may not.
    public func action(completion: @escaping @Sendable (TaskResult<(Data, HTTPURLResponse)>) -> Void) {
        URLSession.shared.dataTask(with: self) { (data, response, error) in
            guard error == nil else {
                completion(.failure(error!))
                return
            }

            completion(.success((data!, response as! HTTPURLResponse)))
        }.resume()
    }
}
// end

@Suite struct ReadmeURLTests {
  init() {
    StubServer.start()
  }

  @Test func `a URL is a task that fetches it`() async throws {
    let (text, status) = try await withDeadline("a URL is a task") {
      // README
      let (data, response) = try! URL(string: "www.google.com")!.await()
      // end
      return (String(decoding: data, as: UTF8.self), response.statusCode)
    }
    #expect(text == "www.google.com")
    #expect(status == 200)
  }

  @Test func `a URL that cannot be fetched throws the error of the session`() async throws {
    let code = try await withDeadline("a URL that cannot be fetched") {
      guard case .failure(let error) = URL(string: "nothing://stub")!.awaitResult() else { return URLError.Code.unknown }
      return (error as? URLError)?.code ?? .unknown
    }
    #expect(code == .unsupportedURL)
  }
}
