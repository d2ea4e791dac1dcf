import Foundation

/// A folder that is there for as long as a closure runs.
enum TemporaryFolder {
  /// Runs the closure with a new, empty folder, and removes the folder afterwards.
  ///
  /// The closure should not print: if nobody reads the output any more, the program ends right there, and the
  /// folder stays.
  static func with<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let name = "\(DemoTool.name)-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}
