import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// Throws an error that says what to do, if this goes to none that speaks HTTP, or its body is gone.
  ///
  /// Foundation would answer it with an error too, or with data that come without a head.
  func requireWebAddress() throws {
    guard let url, !url.absoluteString.isEmpty else {
      throw Self.error(.badURL, nil, "The request has no URL. Make it with one.")
    }
    guard let scheme = url.scheme?.lowercased() else {
      throw Self.error(
        .unsupportedURL, url, "“\(url.absoluteString)” has no scheme. Write all of it, as in https://example.com/page.")
    }
    guard scheme == "http" || scheme == "https" else {
      throw Self.error(
        .unsupportedURL, url,
        "“\(url.absoluteString)” is a \(scheme) URL, and only http and https are fetched. "
          + "Read a file with Data(contentsOf:), and wrap what else the session can do in a ThrowableTask of your own.")
    }
    guard let host = url.host, !host.isEmpty else {
      throw Self.error(
        .badURL, url,
        "“\(url.absoluteString)” has no host. It stands after the two slashes, as in https://example.com/page.")
    }
    // Foundation would send an empty body.
    if let stream = httpBodyStream, stream.streamStatus != .notOpen { throw requestFault(.requestBodyStreamExhausted) }
  }

  /// The error that `code` stands for, which says of what request it is.
  func requestFault(_ code: URLError.Code) -> URLError {
    let problem =
      switch code {
      case .httpTooManyRedirects: "led from one place to the next, and came to no end"
      case .requestBodyStreamExhausted:
        "has a stream as its body, which has been read before. Give it the body as data to send it again"
      default: "was answered with what is no answer of HTTP"
      }
    return Self.error(code, url, "The request for “\(url?.absoluteString ?? "")” \(problem).")
  }

  private static func error(_ code: URLError.Code, _ url: URL?, _ description: String) -> URLError {
    var facts: [String: Any] = [NSLocalizedDescriptionKey: description]
    facts[NSURLErrorFailingURLErrorKey] = url
    return URLError(code, userInfo: facts)
  }
}
