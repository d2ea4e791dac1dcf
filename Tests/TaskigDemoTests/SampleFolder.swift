import Foundation
import Testing

/// A small folder whose lines, words and bytes are known, with everything in it that the demo is to skip.
final class SampleFolder {
  let url: URL

  var path: String { url.path }

  init() throws {
    let name = "taskig-demo-tests-\(UUID().uuidString)"
    url = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
    try write("one two\nthree\n", to: "a.txt")
    try write("four\n\nfive six", to: "deep/er/b.txt")
    try write("let seven = 7\n", to: "c.swift")
    try write("a line of its own\n", to: "README")

    try write("", to: "empty.txt")
    try write("zero \0 byte", to: "binary.txt")
    try write(String(repeating: "x", count: 1_000_001), to: "huge.txt")
    try write("not counted\n", to: ".git/config.txt")
    try write("not counted\n", to: "deep/.build/c.txt")
    try FileManager.default.createSymbolicLink(
      at: url.appendingPathComponent("link.txt"), withDestinationURL: url.appendingPathComponent("a.txt"))
    try #require(mkfifo(url.appendingPathComponent("pipe.txt").path, 0o600) == 0)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  private func write(_ text: String, to path: String) throws {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
