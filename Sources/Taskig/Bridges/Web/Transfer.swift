import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its answer.
struct Transfer: Sendable {
  /// Bytes of an error's body beyond which nobody reads it.
  private static let excerpt = 1 << 16

  private let session: URLSession
  private let reporter: ProgressReporter?
  private let watch: TransferWatch

  init(_ request: URLRequest, in session: URLSession, _ progress: ProgressReporter.Closure?) {
    self.session = session
    reporter = progress.map(ProgressReporter.init)
    watch = TransferWatch(request, in: session, reporter)
  }

  /// Ends the request wherever it is, and returns at once: what comes of it after that is nothing that anybody sees.
  func callOff() {
    reporter?.stop()
    watch.callOff()
  }

  /// Sends the request, and returns the answer when all of it has come.
  func fetch() async throws -> (Data, HTTPURLResponse) {
    let (body, response) = try await receive(asFile: false)
    return (try body.data(upTo: .max), response)
  }

  /// Sends the request, and puts the body of a successful answer in the place of `destination` when all of it has come.
  func fetch(to destination: URL) async throws -> HTTPURLResponse {
    // The body need not come for it to be found that there is no place for it.
    try Self.requirePlace(for: destination)
    let (body, response) = try await receive(asFile: true)
    defer { body.discard() }
    guard response.isSuccess else {
      throw HTTPStatusError(response: response, body: try body.data(upTo: Self.excerpt))
    }
    // Beside it, since only within one file system a file gets its name in one step.
    let part = destination.deletingLastPathComponent().appendingPathComponent(".taskig-" + UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: part) }
    try body.write(to: part)
    try requireInterest()
    try RenamedFile.move(part, to: destination)
    return response
  }

  private static func requirePlace(for file: URL) throws {
    let folder = file.deletingLastPathComponent().path
    guard isFolder(folder) else {
      throw error(
        .fileNoSuchFile, folder, "There is no folder \(folder) to put the file in. Make it before the request.")
    }
    guard !isFolder(file.path) else {
      throw error(.fileWriteFileExists, file.path, "\(file.path) is a folder. Say which file in it is meant.")
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func error(_ code: CocoaError.Code, _ path: String, _ description: String) -> CocoaError {
    CocoaError(code, userInfo: [NSFilePathErrorKey: path, NSLocalizedDescriptionKey: description])
  }

  private func requireInterest() throws {
    if watch.isCalledOff { throw CancellableTaskError.taskWasCancelled }
  }

  private func receive(asFile: Bool) async throws -> (TransferredBody, HTTPURLResponse) {
    defer {
      watch.stop()
      reporter?.stop()
    }
    try watch.request.requireWebAddress()
    try requireInterest()
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
      do {
        let (data, response) = try await session.data(for: watch.request, delegate: watch)
        return (.data(data), response)
      } catch {
        guard let (data, response) = watch.refusedAnswer else { throw error }
        return (.data(data), response)
      }
    }
  #else
    private func answer(asFile: Bool) async throws -> (TransferredBody, URLResponse) {
      guard asFile else {
        let (data, response) = try await session.data(for: watch.request, delegate: watch)
        return (.data(data), response)
      }
      let (file, response) = try await session.download(for: watch.request, delegate: watch)
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
