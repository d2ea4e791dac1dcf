import Foundation
import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What has gone wrong with a fetch: in words, with what to do, and whether it may pass.
struct FetchFault {
  let text: String
  /// Whether another try may do better.
  let mayPass: Bool

  init(_ error: any Error, manners: FetchManners) {
    (text, mayPass) =
      switch error {
      case let error as HTTPStatusError: Self.judge(error)
      case let error as URLError: Self.judge(error, manners)
      case TaskigError.timedOut:
        ("It was not all there within \(manners.timeout?.text ?? "its time"). Give it longer with --timeout.", true)
      default: (Self.text(ofFileError: error), false)
      }
  }

  private static func judge(_ error: HTTPStatusError) -> (String, Bool) {
    let status = error.status
    switch status {
    case 404, 410: return ("There is nothing there (\(status)). Check the URL.", false)
    case 401, 403: return ("The server lets only others have it (\(status)). Ask who runs it.", false)
    case 408, 429, 500...:
      let wish = error.retryAfter.map { "in \($0.text)" } ?? "later"
      return ("The server cannot do it now (\(status)). Try again \(wish).", true)
    default:
      return (
        "The server refuses with \(status), \(HTTPURLResponse.localizedString(forStatusCode: status)). Check the URL.",
        false
      )
    }
  }

  private static func judge(_ error: URLError, _ manners: FetchManners) -> (String, Bool) {
    switch error.code {
    case .cannotFindHost, .dnsLookupFailed:
      ("There is no such host, or no way to ask. Check the URL and the network.", false)
    case .cannotConnectToHost: ("Nobody answers there. Check the URL, or try again later.", true)
    case .timedOut:
      ("Nothing has come for \(manners.stall) s. Try again later, or give it longer with --stall.", true)
    case .httpTooManyRedirects: ("Redirections lead in a circle. Check the URL.", false)
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      ("The server cannot show that it is the right one: \(error.systemReason). Check the URL.", false)
    case .badURL, .unsupportedURL, .cannotParseResponse:
      ("It cannot be fetched: \(error.systemReason). Check the URL.", false)
    // On Linux an answer that breaks off has no code of its own.
    default: ("The connection broke off: \(error.systemReason). Try again later.", true)
    }
  }

  private static func text(ofFileError error: any Error) -> String {
    switch error.systemCode {
    case ENOSPC, EDQUOT: "The disk is full. Make room, or choose another folder with -o."
    case let code?: "It cannot be written: \(String(cString: strerror(code))). Choose another folder with -o."
    default: error.localizedDescription
    }
  }
}
