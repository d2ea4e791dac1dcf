import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// Throws an error that says what to do, if this goes to none that speaks HTTP, or its body is gone; of a redirection, it also
  /// says whose answer has `led` there.
  ///
  /// Foundation would answer it with an error too, or with data that come without a head, or speak what is not HTTP.
  func requireWebAddress(led origin: URLRequest? = nil) throws {
    let way = origin?.url.map { " A redirection of “\($0.addressWithoutSecrets)” leads there." } ?? ""
    guard let url, !url.absoluteString.isEmpty else {
      throw Self.error(.badURL, nil, "The request has no URL. Make it with one.\(way)")
    }
    let address = "“\(url.addressWithoutSecrets)”"
    guard let scheme = url.scheme?.lowercased() else {
      throw Self.error(
        .unsupportedURL, url, "\(address) has no scheme. Write all of it, as in https://example.com/page.\(way)")
    }
    guard scheme == "http" || scheme == "https" else {
      let remedy =
        " Read a file with Data(contentsOf:), and wrap what else the session can do in a ThrowableTask of your own."
      throw Self.error(
        .unsupportedURL, url,
        "\(address) is a URL of \(scheme), and only http and https are fetched.\(origin == nil ? remedy : way)")
    }
    guard let host = url.host, !host.isEmpty else {
      throw Self.error(
        .badURL, url,
        "\(address) has no host. It stands after the two slashes, as in https://example.com/page.\(way)")
    }
    #if canImport(FoundationNetworking)
      // Foundation would say no more than that the URL is bad.
      guard !host.contains(":") else {
        throw Self.error(
          .unsupportedURL, url,
          "\(address) has an IPv6 address in place of a host, which Foundation on Linux cannot reach. Write the host's name.\(way)"
        )
      }
    #endif
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
    return Self.error(code, url, "The request for “\(url?.addressWithoutSecrets ?? "")” \(problem).")
  }

  private static func error(_ code: URLError.Code, _ url: URL?, _ description: String) -> URLError {
    var facts: [String: Any] = [NSLocalizedDescriptionKey: description]
    facts[NSURLErrorFailingURLErrorKey] = url
    return URLError(code, userInfo: facts)
  }
}
