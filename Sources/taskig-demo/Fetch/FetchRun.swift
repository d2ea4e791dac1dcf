import Foundation
import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches files, and tells what becomes of each.
struct FetchRun: Sendable {
  private let manners: FetchManners
  private let folder: FetchFolder
  private let board: FetchBoard
  private let session: URLSession

  init(manners: FetchManners, folder: FetchFolder, board: FetchBoard) {
    (self.manners, self.folder, self.board) = (manners, folder, board)
    session = manners.makeSession()
  }

  /// Fetches all of them, and says whether all are there.
  func fetchAll(_ downloads: [Download]) throws -> Bool {
    let told = downloads.map { download in
      arrival(of: download, as: download.name, labelled: download.name).mapResult { result in
        switch result {
        case .success(let arrival):
          try board.tell(arrival)
          return true
        case .failure(let error as CancellableTaskError): throw error
        case .failure(let error):
          board.fail(complaint(about: download, error))
          return false
        }
      }
    }
    // Only output that cannot be written is an error here: what cannot be fetched must not end the others.
    return try told.awaitAll(concurrency: manners.jobs).allSatisfy { $0 }
  }

  /// Fetches the one file that all of them are, from whoever is first to bring all of it, and says whether it is there.
  func race(_ mirrors: [Download]) throws -> Bool {
    do {
      // Of two that arrive at the same moment the later one may be what is kept: all of it, and the same.
      let first = try mirrors.map { arrival(of: $0, as: mirrors[0].name, labelled: $0.url.host() ?? $0.address) }
        .awaitFirstSuccess(concurrency: manners.jobs)
      try board.tell(first, from: true)
      return true
    } catch let failure as AggregateError<Int> {
      for (index, error) in failure.errors.sorted(by: { $0.key < $1.key }) {
        board.fail(complaint(about: mirrors[index], error))
      }
      return false
    }
  }

  /// A task that brings the file, in as many tries as it may take, with a line of the board's meanwhile.
  ///
  /// What it fails with, unless it is called off, is a ``FetchFault``.
  private func arrival(
    of download: Download, as name: String, labelled label: String
  ) -> ThrowableTask<FetchArrival> {
    ThrowableTask { board.begin(label) }
      .flatMap { row in
        attempt(download, as: name, row)
          .retry(attempts: manners.retries + 1) { error, failures in
            let pause = manners.pause(after: error, failures: failures)
            if let pause { row.wait(pause, until: failures + 1) }
            return pause
          }
          .map { _ in FetchArrival(path: folder.shownPath(of: name), address: download.address, row.current) }
          .mapError { FetchFault($0, tries: row.current.tries, manners: manners) }
          .always { board.end(row) }
      }
      .named("fetch \(label)")
  }

  private func attempt(_ download: Download, as name: String, _ row: FetchRow) -> ThrowableTask<HTTPURLResponse> {
    let fetch = session.fetch(download.url, to: folder.file(name)) { row.note($0) }
    return manners.timeout.map { fetch.timeout($0) } ?? fetch
  }

  private func complaint(about download: Download, _ error: any Error) -> String {
    "\(download.address): \((error as? FetchFault)?.text ?? error.systemReason)"
  }
}
