import Foundation

/// A folder of the test's own, which goes with the object.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("taskig-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

  func write(_ text: String, to name: String, executable: Bool = false) throws {
    try text.write(toFile: file(name), atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.posixPermissions: executable ? 0o755 : 0o644], ofItemAtPath: file(name))
  }
}
