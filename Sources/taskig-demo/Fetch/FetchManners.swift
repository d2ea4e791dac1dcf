import Foundation
import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How much is asked of servers at a time, and how patiently.
struct FetchManners: Sendable {
  /// A longer time that a server asks for is not waited for.
  private static let longestWish: Duration = .seconds(120)

  let jobs: Int
  let retries: Int
  let timeout: Duration?
  /// In seconds.
  let stall: Int
  private let backoff: Backoff

  init(jobs: Int, retries: Int, pause: Duration, timeout: Duration?, stall: Int) {
    (self.jobs, self.retries, self.timeout, self.stall) = (jobs, retries, timeout, stall)
    backoff = .exponential(from: pause, upTo: .seconds(30))
  }

  /// How long to wait before another try; `nil` if none is worth it.
  func pause(after error: any Error, failures: Int) -> Duration? {
    guard FetchFault(error, tries: failures, manners: self).mayPass else { return nil }
    let pause = backoff.pause(afterFailures: failures)
    guard let wish = (error as? HTTPStatusError)?.retryAfter else { return pause }
    return wish <= Self.longestWish ? max(wish, pause) : nil
  }

  /// A session that sends requests so.
  func makeSession() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = jobs
    configuration.timeoutIntervalForRequest = Double(stall)
    // Files are wanted as they lie there; compressed on the way they would have no known size, and an archive would be unpacked.
    configuration.httpAdditionalHeaders = [
      "Accept-Encoding": "identity", "User-Agent": "\(DemoTool.name)/\(DemoTool.version)",
    ]
    return URLSession(configuration: configuration)
  }
}
