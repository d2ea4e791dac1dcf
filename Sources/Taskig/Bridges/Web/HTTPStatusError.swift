import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The error of a request that a server has answered with something else than success.
public struct HTTPStatusError: Error {
  /// The answer's head: its status, its headers, and the URL that it came from in the end.
  public let response: HTTPURLResponse

  /// The answer's body, which often says what is wrong; of a request into a file, the first 64 KiB of it.
  public let body: Data

  /// Makes an error of a server's answer.
  public init(response: HTTPURLResponse, body: Data) {
    self.response = response
    self.body = body
  }

  /// The status code, such as 404.
  public var status: Int { response.statusCode }
}

extension HTTPStatusError: LocalizedError, CustomStringConvertible {
  /// The same as `description`.
  public var errorDescription: String? { description }

  /// The status, the URL without a password, and the beginning of a body that is text.
  public var description: String {
    let meaning = HTTPURLResponse.localizedString(forStatusCode: status)
    return "HTTP status \(status) (\(meaning)) from \(address): \(excerpt)"
  }

  private var address: String { response.url?.addressWithoutSecrets ?? "?" }

  private var excerpt: String {
    if body.isEmpty { return "an empty body" }
    // A character that is cut in two at the end is no sign of something else than text.
    let beginning = body.prefix(1_000)
    let text = (0..<4).lazy.compactMap { String(bytes: beginning.dropLast($0), encoding: .utf8) }.first
    guard let text, !text.isEmpty, !text.contains(where: { $0.isControl }) else {
      return "\(body.count) bytes that are no text"
    }
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > 200 ? line.prefix(200) + "…" : line
  }
}

extension Character {
  /// Whether this belongs into no text.
  fileprivate var isControl: Bool {
    !isWhitespace && unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

extension HTTPURLResponse {
  /// Whether the server has done what it was asked for: a status from 200 to 299.
  var isSuccess: Bool { 200..<300 ~= statusCode }
}
