import Foundation

/// A folder of a test's own, which goes with this object.
final class ScratchFolder: Sendable {
  let url: URL

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("taskig-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    self.url = url.resolvingSymlinksInPath()
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  var path: String { url.path }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  func path(of name: String) -> String { file(name).path }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(of: name)) }

  /// What is in it, hidden files too.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

  func text(of name: String) -> String? { try? String(contentsOf: file(name), encoding: .utf8) }

  func write(_ text: String, to name: String, executable: Bool = false) throws {
    try text.write(to: file(name), atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.posixPermissions: executable ? 0o755 : 0o644], ofItemAtPath: path(of: name))
  }
}
