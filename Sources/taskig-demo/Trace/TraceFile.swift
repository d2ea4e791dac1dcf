import Foundation

/// The file that a trace goes to: opened, and emptied, before there is anything to write, so that nothing is done in vain.
struct TraceFile: Sendable {
  let path: String
  private let handle: FileHandle

  init(_ path: String) throws {
    self.path = path
    guard !Self.isOutput(path) else {
      throw CommandError(
        "The trace cannot be written to '\(path)': the output goes there. Give '--trace' a file of its own.",
        status: .ioError)
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw CommandError(
        "The trace cannot be written to '\(path)': \(String(cString: strerror(errno))). Give '--trace' a file that can.",
        status: .ioError)
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Whether standard output or error goes to the file, which it would be emptied of.
  private static func isOutput(_ path: String) -> Bool {
    var (file, stream) = (stat(), stat())
    guard stat(path, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { return false }
    return [STDOUT_FILENO, STDERR_FILENO].contains { number in
      fstat(number, &stream) == 0 && (stream.st_dev, stream.st_ino) == (file.st_dev, file.st_ino)
    }
  }

  func append(_ bytes: Data) throws {
    do {
      try handle.write(contentsOf: bytes)
    } catch {
      throw CommandError(
        "The trace in '\(path)' is not whole: \(error.systemReason). Give '--trace' a file with more room.",
        status: .ioError)
    }
  }
}
