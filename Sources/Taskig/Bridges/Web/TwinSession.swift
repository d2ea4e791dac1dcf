#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// A session in the place of one of the user's, with the same configuration, cookies and credentials.
  ///
  /// It is for Foundation on Linux, where, up to Swift 6.3.1,
  /// - a task's own delegate is not told of data, so that only a session's delegate hears how far an answer is;
  /// - cancelling an `async` request stops the session for good, if its answer comes at the same moment;
  /// - cancelling a task of a session that has a cache stops the program, if its answer comes at the same moment;
  /// - a download that is cancelled leaves its temporary file behind;
  /// - a redirection loses the body, and one for which a delegate takes its time can stop the program;
  /// - a request that is refused for want of a name and a password never ends.
  ///
  /// A twin has no cache, in which Foundation would store nothing anyway, and cancels in turn with the answers. The delegate of the
  /// user's session is asked about redirections and challenges.
  final class TwinSession: Sendable {
    private struct Pair {
      weak var original: URLSession?
      let twin: TwinSession
    }

    private static let pairs = Locked<[Pair]>([])

    let correspondent = TwinCorrespondent()
    private let own: URLSession

    private init(of original: URLSession) {
      let configuration = original.configuration.copy() as? URLSessionConfiguration ?? .default
      configuration.urlCache = nil
      own = URLSession(configuration: configuration, delegate: correspondent, delegateQueue: correspondent.queue)
    }

    /// The twin of `session`, the same each time; those of sessions that are no more end with their connections.
    static func of(_ session: URLSession) -> TwinSession {
      let (twin, orphans) = pairs.withLock { pairs in
        let orphans = pairs.filter { $0.original == nil }
        if !orphans.isEmpty { pairs.removeAll { $0.original == nil } }
        if let twin = pairs.first(where: { $0.original === session })?.twin { return (twin, orphans) }
        let twin = TwinSession(of: session)
        pairs.append(Pair(original: session, twin: twin))
        return (twin, orphans)
      }
      for orphan in orphans { orphan.twin.own.finishTasksAndInvalidate() }
      return twin
    }

    /// Sends the transfer's request and tells it what becomes of that; returns what ends it.
    ///
    /// Both are done on other threads, as Foundation blocks in them.
    func send(_ transfer: Transfer) -> @Sendable () -> Void {
      let leg = TwinLeg(of: transfer)
      correspondent.begin(leg, in: own)
      return { [correspondent] in correspondent.cancel(leg) }
    }
  }
#endif
