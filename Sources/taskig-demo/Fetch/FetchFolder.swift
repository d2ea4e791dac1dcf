import Foundation

/// The folder that files are put in.
struct FetchFolder: Sendable {
  private let path: String

  /// Makes the folder if it is not there.
  init(_ path: String) throws {
    self.path = path
    var isFolder: ObjCBool = false
    if !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      } catch {
        // Foundation does not say that one of the folders on the way is a file.
        var status = stat()
        let isInFile = stat(path, &status) != 0 && errno == ENOTDIR
        let reason = isInFile ? String(cString: strerror(ENOTDIR)) : error.systemReason
        throw Self.fault("The folder '\(path)' cannot be made: \(reason).")
      }
    } else if !isFolder.boolValue {
      throw Self.fault("'\(path)' is a file, not a folder.")
    } else if !FileManager.default.isWritableFile(atPath: path) {
      throw Self.fault("Nothing may be written into the folder '\(path)'.")
    }
  }

  func file(_ name: String) -> URL { URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(name) }

  /// The file's path as the one who named the folder would write it.
  func shownPath(of name: String) -> String {
    path == "." ? name : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  private static func fault(_ problem: String) -> CommandError {
    CommandError("\(problem) Name another one: \(DemoTool.name) fetch -o DIR", status: .failure)
  }
}
