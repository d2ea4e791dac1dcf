import Foundation

/// Where the build put its programs.
enum Products {
  struct NotFound: Error, CustomStringConvertible {
    let name: String
    let places: [String]
    var description: String {
      "There is no program \(name) near any of: \(places.joined(separator: ", "))"
    }
  }

  /// The path of the demo.
  static func demo() throws -> String { try program("taskig-demo") }

  /// The path of a program of this package, which lies beside the test bundle in every kind of build.
  static func program(_ name: String) throws -> String {
    // On Linux the bundle is the running program itself. On macOS a helper from elsewhere has loaded it, and
    // names it in its arguments.
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let words = CommandLine.arguments.filter { $0.contains("/") }.map { URL(fileURLWithPath: $0) }
    let places = [Bundle.main.bundleURL] + bundles + words
    for place in places {
      var folder = place
      for _ in 0..<4 {
        let program = folder.appendingPathComponent(name).path
        if isProgram(program) { return program }
        folder.deleteLastPathComponent()
      }
    }
    throw NotFound(name: name, places: places.map(\.path))
  }

  /// Whether a program of this name is found along `PATH`.
  static func isInstalled(_ name: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains { isProgram("\($0)/\(name)") }
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
