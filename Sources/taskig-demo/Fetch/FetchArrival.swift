import Foundation

/// A file that is there, and how it came.
struct FetchArrival: Sendable {
  let path: String
  let address: String
  let bytes: Int64
  private let tries: Int
  private let time: Duration

  init(path: String, address: String, _ row: FetchRow.State) {
    (self.path, self.address) = (path, address)
    (bytes, tries, time) = (row.progress.received, row.tries, row.begin.duration(to: .now))
  }

  /// What there is to say of it, on a line.
  var text: String { "\(path): \(bytes.bytesText) in \(time.text)" + (tries > 1 ? ", \(tries) tries" : "") }
}
