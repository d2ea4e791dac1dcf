import Foundation
import Taskig

/// Several tasks, each awaited where its result is needed, so that the code reads from top to bottom.
struct SequentialChapter: Chapter {
  let title = "One step after the other"

  private static let line = "the quick brown fox jumps over the lazy dog\n"

  func run(on stage: Stage) throws {
    stage.say("Write six text files, find them, read them, count and rank their words. Each step is a task.")
    let story = try TemporaryFolder.with { try flow(in: $0, stage) }
    for step in story.steps { stage.report(step.what, step.time) }
    stage.check("files found", story.files, is: 6)
    stage.check("bytes read", story.bytesRead, is: story.bytesWritten)
    stage.check("words", story.ranking.reduce(0) { $0 + $1.count }, is: 9 * 1_050)
    stage.check("the most frequent word", story.ranking.first?.word, is: "the")
    // The right checksum was computed once, by another program in another language.
    stage.check("checksum of all text", String(story.checksum, radix: 16), is: "8beec6b8d0869eb1")
  }

  private func flow(in folder: URL, _ stage: Stage) throws -> Story {
    var story = Story()

    let bytes = try write(filesIn: folder, stage).await()
    story.tell("Wrote \(bytes.of("byte"))")

    let files = try list(folder, stage).await()
    story.tell("Found \(files.count.of("file"))")

    let text = try readAll(files, stage).await()
    story.tell("Read \(text.utf8.count.of("byte"))")

    let ranking = rank(text, stage).await()
    story.tell("Ranked \(ranking.count.of("different word"))")

    let checksum = Task { stage.work("hash") { Checksum.of(text.utf8) } }.await()
    story.tell("Hashed the text")

    (story.files, story.bytesWritten, story.bytesRead) = (files.count, bytes, text.utf8.count)
    (story.ranking, story.checksum) = (ranking, checksum)
    return story
  }

  private func write(filesIn folder: URL, _ stage: Stage) -> ThrowableTask<Int> {
    ThrowableTask {
      try (1...6).reduce(0) { total, number in
        let text = Data(String(repeating: Self.line, count: number * 50).utf8)
        try stage.work("write") { try text.write(to: folder.appendingPathComponent("\(number).txt")) }
        return total + text.count
      }
    }
  }

  private func list(_ folder: URL, _ stage: Stage) -> ThrowableTask<[URL]> {
    ThrowableTask {
      try stage.work("list") {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
          .sorted { $0.lastPathComponent < $1.lastPathComponent }
      }
    }
  }

  /// A task made of tasks: it awaits the reading of one file after the other.
  private func readAll(_ files: [URL], _ stage: Stage) -> ThrowableTask<String> {
    ThrowableTask { try files.map { try read($0, stage).await() }.joined() }
  }

  private func read(_ file: URL, _ stage: Stage) -> ThrowableTask<String> {
    ThrowableTask { try stage.work("read") { try String(contentsOf: file, encoding: .utf8) } }
  }

  private func rank(_ text: String, _ stage: Stage) -> Task<[(word: String, count: Int)]> {
    Task {
      stage.work("rank") {
        let words = text.split { $0.isWhitespace }.map(String.init)
        let counts = Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.map { (word: $0.key, count: $0.value) }
          .sorted { ($1.count, $0.word) < ($0.count, $1.word) }
      }
    }
  }
}

/// What came of the flow; it is printed when the folder is gone.
private struct Story {
  private(set) var steps: [(what: String, time: Duration)] = []
  var files = 0
  var bytesWritten = 0
  var bytesRead = 0
  var ranking: [(word: String, count: Int)] = []
  var checksum: UInt64 = 0

  private var last = ContinuousClock.now

  /// Tells what has been done since it was last called.
  mutating func tell(_ what: String) {
    let now = ContinuousClock.now
    steps.append((what, now - last))
    last = now
  }
}
