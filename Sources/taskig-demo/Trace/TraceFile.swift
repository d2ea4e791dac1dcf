import Foundation

/// The file that a trace goes to: opened, and emptied, before there is anything to write, so that nothing is done in vain.
struct TraceFile: Sendable {
  let path: String
  private let handle: FileHandle

  init(_ path: String) throws {
    self.path = path
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw CommandError(
        "The trace cannot be written to '\(path)': \(String(cString: strerror(errno))). Give '--trace' a file that can.",
        status: .ioError)
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  func append(_ bytes: Data) throws {
    do {
      try handle.write(contentsOf: bytes)
    } catch {
      throw CommandError(
        "The trace in '\(path)' is not whole: \(error.localizedDescription) Give '--trace' a file with more room.",
        status: .ioError)
    }
  }
}
