import Foundation

/// A trace as a picture, drawn when it has ended.
final class PictureTrace: TraceWriter {
  private let file: TraceFile
  private let items = Guarded([TraceItem]())

  init(to file: TraceFile) {
    self.file = file
  }

  func write(_ item: TraceItem) {
    items.withLock { $0.append(item) }
  }

  func close() throws {
    try file.append(Data(TracePicture(items.current).svg.utf8))
  }
}
