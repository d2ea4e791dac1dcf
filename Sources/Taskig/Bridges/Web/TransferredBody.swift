import Foundation

/// The body of an answer, where the session has put it.
enum TransferredBody: Sendable {
  case data(Data)
  /// A temporary file, which is ours to remove.
  case file(URL)

  /// Bytes.
  var count: Int64 {
    switch self {
    case .data(let data): Int64(data.count)
    case .file(let file): Int64((try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0)
    }
  }

  /// The first bytes of it, in memory.
  func data(upTo count: Int) throws -> Data {
    switch self {
    case .data(let data):
      return data.count <= count ? data : Data(data.prefix(count))
    case .file(let file):
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      return try handle.read(upToCount: count) ?? Data()
    }
  }

  /// Puts it into a new file.
  func write(to file: URL) throws {
    switch self {
    case .data(let data): try data.write(to: file)
    case .file(let temporary): try FileManager.default.moveItem(at: temporary, to: file)
    }
  }

  /// Removes the temporary file, if it is still there.
  func discard() {
    if case .file(let file) = self { try? FileManager.default.removeItem(at: file) }
  }
}
