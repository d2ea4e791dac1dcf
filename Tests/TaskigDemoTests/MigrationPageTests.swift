import Foundation
import Testing

/// That each line on the right of “Coming from other libraries” stands in the tests of its section, which run it.
@Suite struct MigrationPageTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let tests = root.appendingPathComponent("Tests/TaskigAPITests/Migration")

  /// The file with the tests of each section.
  private static let files = [
    "The original Taskig and AsyncTask": "TaskigAndAsyncTaskTests",
    "Bolts": "BoltsTests",
    "PromiseKit": "PromiseKitTests",
    "Google Promises": "GooglePromisesTests",
    "BrightFutures": "BrightFuturesTests",
    "Deferred": "DeferredTests",
    "FutureKit": "FutureKitTests",
    "Hydra": "HydraTests",
    "then": "ThenTests",
    "Await": "AwaitTests",
    "Operations and Dispatch": "DispatchTests",
    "Swift concurrency": "SwiftConcurrencyTests",
  ]

  private static func page() throws -> String {
    let page = root.appendingPathComponent("Sources/Taskig/Documentation.docc/ComingFromOtherLibraries.md")
    return try String(contentsOf: page, encoding: .utf8)
  }

  /// The lines of code in a file of tests, without what keeps a result for the test, and without the brace of a body.
  private static func lines(of file: String) throws -> Set<String> {
    let text = try String(contentsOf: tests.appendingPathComponent(file + ".swift"), encoding: .utf8)
    let lines = text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    return lines.filter { !$0.hasPrefix("//") }.reduce(into: []) { lines, line in
      lines.insert(line)
      if line.hasPrefix("return ") { lines.insert(String(line.dropFirst("return ".count))) }
      if line.hasSuffix(" {") { lines.insert(String(line.dropLast(" {".count))) }
    }
  }

  /// The title and the text of each section.
  private static func sections() throws -> [(title: String, text: String)] {
    try page().components(separatedBy: "\n### ").dropFirst().map { section in
      let parts = section.split(separator: "\n", maxSplits: 1)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// The cells of each row but a table's head.
  private static func rows(of text: String) -> [[String]] {
    let bar = "\u{1}"
    return text.components(separatedBy: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.replacingOccurrences(of: #"\|"#, with: bar).components(separatedBy: "|").dropFirst().dropLast().map { cell in
        cell.replacingOccurrences(of: bar, with: "|").trimmingCharacters(in: .whitespaces)
      }
    }.filter { $0 != ["There", "Here"] && !$0.allSatisfy { $0.hasPrefix("---") } }
  }

  /// What stands between backticks in a cell.
  private static func code(in cell: String) -> [String] {
    let parts = cell.components(separatedBy: "`")
    return parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
  }

  @Test func `each line on the right stands in the tests of its section`() throws {
    for (title, text) in try Self.sections() {
      let lines = try Self.lines(of: #require(Self.files[title], "No tests are known for the section “\(title)”."))
      for row in Self.rows(of: text) {
        try #require(row.count == 2, "\(title): \(row)")
        let code = Self.code(in: row[1])
        #expect(!code.isEmpty, "\(title): no code on the right of \(row[0])")
        for line in code {
          #expect(lines.contains(line), "\(title): in no test: \(line)")
        }
      }
    }
  }

  @Test func `each section has a table, and each file of tests a section`() throws {
    let sections = try Self.sections()
    #expect(Set(sections.map(\.title)) == Set(Self.files.keys))
    for (title, text) in sections {
      #expect(Self.rows(of: text).count >= 5, "\(title)")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.tests.path)
    #expect(Set(files) == Set(Self.files.values.map { $0 + ".swift" } + ["World.swift"]))
  }

  @Test func `the world that the page shows is the one of the tests`() throws {
    let world = try Self.lines(of: "World")
    let block = try #require(try Self.page().components(separatedBy: "```swift\n").dropFirst().first)
    let shown = try #require(block.components(separatedBy: "```").first).components(separatedBy: "\n")
    for line in shown.map({ $0.trimmingCharacters(in: .whitespaces) }) where !line.hasPrefix("//") {
      #expect(world.contains(line), "not in the tests' world: \(line)")
    }
  }
}
