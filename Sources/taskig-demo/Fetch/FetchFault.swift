import Foundation
import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What has gone wrong with a fetch: in words, with what to do, and whether it may pass.
struct FetchFault: Error {
  private let problem: String
  private let remedy: String
  /// Whether another try may do better.
  let mayPass: Bool
  private let tries: Int

  private typealias Judgement = (problem: String, remedy: String, mayPass: Bool)

  init(_ error: any Error, tries: Int, manners: FetchManners) {
    self.tries = tries
    (problem, remedy, mayPass) =
      switch error {
      case let error as HTTPStatusError: Self.judge(error)
      case let error as URLError: Self.judge(error, stall: manners.stall)
      case TaskigError.timedOut:
        ("It was not all there within \(manners.timeout?.text ?? "its time")", "Give it longer with --timeout.", true)
      default: Self.judge(fileError: error)
      }
  }

  /// All of it, on a line.
  var text: String { problem + (tries > 1 ? ", in \(tries) tries. " : ". ") + remedy }

  private static func judge(_ error: HTTPStatusError) -> Judgement {
    switch error.status {
    case 404, 410: return ("There is nothing there (\(error.status))", "Check the URL.", false)
    case 401, 403: return ("The server lets only others have it (\(error.status))", "Ask who runs it.", false)
    case 408, 429, 500...:
      let pause = error.retryAfter.map { Int($0.seconds.rounded(.up)) } ?? 0
      let wish = pause > 0 ? "in \(pause.text) s" : "later"
      return ("The server cannot do it now (\(error.status))", "Try again \(wish).", true)
    default: return ("The server refuses it (\(error.status))", "Check the URL.", false)
    }
  }

  private static func judge(_ error: URLError, stall: Int) -> Judgement {
    switch error.code {
    case .cannotFindHost, .dnsLookupFailed:
      ("There is no such host, or no way to ask", "Check the URL and the network.", false)
    case .cannotConnectToHost: ("Nobody answers there", "Check the URL, or try again later.", true)
    case .timedOut:
      ("Nothing has come for \(stall) s", "Try again later, or give it longer with --stall.", true)
    case .httpTooManyRedirects: ("Redirections lead in a circle", "Check the URL.", false)
    case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
      .serverCertificateNotYetValid,
      .unknown where error.isAboutCertificate:
      ("The server does not show that it is the right one: \(error.systemReason)", "Check the URL.", false)
    // The library says what to do, and where a redirection has led.
    case .unsupportedURL: ("It cannot be fetched", "\(error.systemReason).", false)
    case .badURL, .cannotParseResponse:
      ("It cannot be fetched: \(error.systemReason)", "Check the URL.", false)
    default: ("The connection broke off: \(error.systemReason)", "Try again later.", true)
    }
  }

  private static func judge(fileError error: any Error) -> Judgement {
    let remedy = "Choose another folder with -o."
    if (error as? CocoaError)?.code == .fileWriteFileExists {
      return ("What has the file's name is no ordinary file", remedy, false)
    }
    if [ENOSPC, EDQUOT].contains(error.systemCode) || (error as? CocoaError)?.code == .fileWriteOutOfSpace {
      return ("The disk is full", "Make room, or choose another folder with -o.", false)
    }
    return ("It cannot be written: \(error.systemReason)", remedy, false)
  }
}

extension URLError {
  /// Whether its text says so: on Linux neither a bad certificate nor an answer that breaks off has a code of its own.
  fileprivate var isAboutCertificate: Bool { localizedDescription.contains("certificate") }
}
