import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its answer.
struct Transfer: Sendable {
  /// Bytes of an error's body beyond which nobody reads it.
  private static let excerpt = 1 << 16

  let session: URLSession
  let request: URLRequest
  let reporter: ProgressReporter?

  /// Sends the request, and returns the answer when all of it has come.
  func fetch() async throws -> (Data, HTTPURLResponse) {
    let (body, response) = try await receive(asFile: false)
    return (try body.data(upTo: .max), response)
  }

  /// Sends the request, and puts the body of a successful answer in the place of `destination` when all of it has come.
  func fetch(to destination: URL) async throws -> HTTPURLResponse {
    let folder = destination.deletingLastPathComponent()
    // The body need not come only for it to be found that there is no place for it.
    try Self.requireFolder(folder)
    let (body, response) = try await receive(asFile: true)
    defer { body.discard() }
    guard response.isSuccess else {
      throw HTTPStatusError(response: response, body: try body.data(upTo: Self.excerpt))
    }
    let part = folder.appendingPathComponent(".taskig-" + UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: part) }
    try body.write(to: part)
    try _Concurrency.Task.checkCancellation()
    try RenamedFile.move(part, to: destination)
    return response
  }

  private static func requireFolder(_ folder: URL) throws {
    var isFolder: ObjCBool = false
    guard !FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) || !isFolder.boolValue else {
      return
    }
    throw CocoaError(
      .fileNoSuchFile,
      userInfo: [
        NSFilePathErrorKey: folder.path,
        NSLocalizedDescriptionKey: "There is no folder \(folder.path) to put the file in. Make it before the request.",
      ])
  }

  private func receive(asFile: Bool) async throws -> (TransferredBody, HTTPURLResponse) {
    defer { reporter?.stop() }
    try request.requireWebAddress()
    let (body, response) = try await answer(asFile: asFile)
    guard let response = response as? HTTPURLResponse else {
      body.discard()
      throw URLError(.badServerResponse)
    }
    await reporter?.finish(TransferProgress(received: body.count, expected: response.expectedCount))
    return (body, response)
  }

  #if canImport(FoundationNetworking)
    /// The session's `data(for:delegate:)` is the only way here that hears of the bytes as they come without being the session's
    /// own delegate, and that needs no turn of the session's queue in order to end.
    ///
    /// A download task would not keep the body in memory, but leaves its temporary file behind when it is cancelled or fails.
    /// A session of our own would do for neither: connections and limits are its own, the user's delegate is not asked, and
    /// sessions that come and go crash at times, when a connection over TLS is closed with them.
    private func answer(asFile: Bool) async throws -> (TransferredBody, URLResponse) {
      let watch = TransferWatch(reporter, request)
      defer { watch.stop() }
      do {
        let (data, response) = try await session.data(for: request, delegate: watch)
        return (.data(data), response)
      } catch {
        guard let (data, response) = watch.refusal else { throw error }
        return (.data(data), response)
      }
    }
  #else
    private func answer(asFile: Bool) async throws -> (TransferredBody, URLResponse) {
      let watch = reporter.map(TransferWatch.init)
      defer { watch?.stop() }
      guard asFile else {
        let (data, response) = try await session.data(for: request, delegate: watch)
        return (.data(data), response)
      }
      let (file, response) = try await session.download(for: request, delegate: watch)
      return (.file(file), response)
    }
  #endif
}

extension HTTPURLResponse {
  /// The bytes that the body will have, as far as the server says; compressed ones are others than those that come.
  var expectedCount: Int64? {
    let isPlain = (value(forHTTPHeaderField: "Content-Encoding") ?? "identity") == "identity"
    return isPlain && expectedContentLength >= 0 ? expectedContentLength : nil
  }
}
