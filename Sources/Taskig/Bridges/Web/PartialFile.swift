import Foundation

/// A file that gets its name when all of it is there, and is gone when it is let go of before.
final class PartialFile {
  private let destination: URL
  /// Beside its destination, since only within one file system a file gets its name in one step.
  private let part: URL
  private let handle: FileHandle
  private var isOver = false
  private var closing = Result<Void, any Error>.success(())

  init(for destination: URL) throws {
    // What a link leads to is meant, as in all else that writes to one.
    self.destination = destination.resolvingSymlinksInPath()
    part = self.destination.deletingLastPathComponent().appendingPathComponent(".taskig-" + UUID().uuidString)
    do {
      try Data().write(to: part)
      handle = try FileHandle(forWritingTo: part)
      // Who may read what is there may read what takes its place, and nobody else, while it comes either.
      let old = try? FileManager.default.attributesOfItem(atPath: self.destination.path)
      if let permissions = old?[.posixPermissions] {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: part.path)
      }
    } catch {
      try? FileManager.default.removeItem(at: part)
      throw Self.error(
        .fileWriteUnknown, destination.path, "\(destination.path) cannot be written: \(error.localizedDescription)")
    }
  }

  deinit {
    discard()
  }

  func append(_ data: Data) throws {
    try handle.write(contentsOf: data)
  }

  /// Ends the writing; what goes wrong with it is an error of ``finish()``.
  func close() {
    closing = Result { try handle.close() }
  }

  /// Puts it, closed, in the place of its destination.
  func finish() throws {
    try closing.get()
    try RenamedFile.move(part, to: destination)
    isOver = true
  }

  /// Removes it, unless it has been put in its place.
  func discard() {
    if isOver { return }
    isOver = true
    try? handle.close()
    unlink()
  }

  /// Takes its name away, so that it goes with whoever has it open; from any thread, unless it is being put in its place.
  func unlink() {
    try? FileManager.default.removeItem(at: part)
  }

  /// Throws an error that says what to do, if `file` cannot be.
  static func requirePlace(for file: URL) throws {
    let folder = file.deletingLastPathComponent().path
    guard isFolder(folder) else {
      throw error(
        .fileNoSuchFile, folder, "There is no folder \(folder) to put the file in. Make it before the request.")
    }
    guard !isFolder(file.path) else {
      throw error(.fileWriteFileExists, file.path, "\(file.path) is a folder. Say which file in it is meant.")
    }
    let type = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)[.type]
    guard type == nil || type as? FileAttributeType == .typeRegular else {
      throw error(
        .fileWriteFileExists, file.path,
        "\(file.path) is no ordinary file, and would be replaced by one. To have the body go elsewhere, fetch it without a file."
      )
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func error(_ code: CocoaError.Code, _ path: String, _ description: String) -> CocoaError {
    CocoaError(code, userInfo: [NSFilePathErrorKey: path, NSLocalizedDescriptionKey: description])
  }
}
