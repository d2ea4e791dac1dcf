#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// One request of a transfer; a redirection leads to another.
  struct TwinLeg: Sendable {
    /// Redirections after which a request is taken to go in a circle.
    private static let limit = 20

    let transfer: Transfer
    let request: URLRequest
    private var redirections = 0
    /// The session's task for what is on its way; the legs of one transfer share the place.
    let sent: Locked<URLSessionTask?>

    /// The first leg of `transfer`.
    init(of transfer: Transfer) {
      self.transfer = transfer
      request = transfer.request.spelledForFoundation
      sent = Locked(nil)
    }

    private init(_ request: URLRequest, after leg: TwinLeg) {
      transfer = leg.transfer
      self.request = request.spelledForFoundation
      redirections = leg.redirections + 1
      sent = leg.sent
    }

    /// The leg after this, with `request`; throws if there have been too many, or it leads out of the web.
    func next(_ request: URLRequest) throws -> TwinLeg {
      guard redirections < Self.limit else { throw transfer.request.requestFault(.httpTooManyRedirects) }
      // Foundation would follow it to a server of FTP, and log in there.
      try request.requireWebAddress(led: transfer.request)
      return TwinLeg(request, after: self)
    }

    /// The request that goes to the place that `response` names, of which Foundation has made `proposal`, with what belongs to it: the
    /// body, if the method is the same, and what secrets the new place may know; `nil` if the body cannot be sent again.
    func redirected(_ proposal: URLRequest, by response: HTTPURLResponse) -> URLRequest? {
      var next = proposal
      let isSame = next.httpMethod == request.httpMethod
      if isSame, request.httpBodyStream != nil { return nil }
      next.httpBody = isSame ? request.httpBody : nil
      if !isSame {
        for field in ["Content-Length", "Content-Type"] { next.setValue(nil, forHTTPHeaderField: field) }
      }
      let isAtHome = next.url?.origin == response.url?.origin
      // The session adds its own when the request is sent.
      next.setValue(isAtHome ? request.value(forHTTPHeaderField: "Cookie") : nil, forHTTPHeaderField: "Cookie")
      if !isAtHome { next.setValue(nil, forHTTPHeaderField: "Authorization") }
      return next
    }
  }

  extension URLRequest {
    /// The same with the scheme in small letters, in which alone Foundation knows it.
    fileprivate var spelledForFoundation: URLRequest {
      guard let url, let scheme = url.scheme, scheme != scheme.lowercased(),
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
      else { return self }
      parts.scheme = scheme.lowercased()
      var request = self
      request.url = parts.url
      return request
    }
  }

  extension URL {
    /// To whom a secret that was meant for this URL may be told: the way, the host and the port.
    fileprivate var origin: [String?] {
      let scheme = scheme?.lowercased()
      return [scheme, host?.lowercased(), "\(port ?? (scheme == "https" ? 443 : 80))"]
    }
  }
#endif
