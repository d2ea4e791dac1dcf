import Foundation

/// The default command: a tour of the library, one chapter after the other, that checks what it shows.
struct TourCommand: Command {
  static let name = "tour"
  static let summary = "Show what the library does in eight chapters; the default."
  static let usages = ["[--path DIR]"]
  static let details = [
    """
    Each chapter does real work, without a network, and checks what came of it. At the end a picture shows what ran when, and on \
    which thread.
    """
  ]
  private static let path = Option(
    "path", value: .folder("DIR", as: "Sources"),
    "The folder whose files are counted; the current one unless you say otherwise.")
  static let options = [path]
  static let examples = [
    (command: "taskig-demo", meaning: "Take the tour; where nothing else is asked for, that is what is done."),
    (
      command: "taskig-demo tour --path Sources",
      meaning: "Count the lines of this folder's files in the third chapter."
    ),
  ]
  static let statuses = [
    (status: "0", meaning: "All checks passed."),
    (status: "1", meaning: "One of the tour's checks failed."),
    (status: "64", meaning: "The command line is wrong."),
    (status: "66", meaning: "The folder cannot be read."),
    (status: "74", meaning: "The output cannot be written."),
  ]

  private let path: String

  init(_ arguments: Arguments) throws {
    try arguments.requireNoOperands()
    path = arguments.value(of: Self.path) ?? "."
  }

  func run(on page: Page) throws -> ExitStatus {
    let folder = try readableFolder()
    let chapters: [any Chapter] = [
      SequentialChapter(), ProcessChapter(), FolderChapter(folder: folder), RaceChapter(), ErrorsChapter(),
      CancellationChapter(), QueuesChapter(), CrowdChapter(),
    ]
    let timeline = Timeline()
    let checks = Checks()
    page.write(page.style("Taskig: a tour in \(chapters.count) chapters", .bold))
    for (index, chapter) in chapters.enumerated() {
      let stage = Stage(chapter: index + 1, page: page, timeline: timeline, checks: checks)
      stage.play(chapter)
    }
    TimelinePicture(timeline.close(), page: page).draw()
    return checks.conclude(on: page) ? .success : .failure
  }

  private func readableFolder() throws -> URL {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw noInput("There is no folder '\(path)'. Pass one that exists")
    }
    guard isFolder.boolValue else {
      throw noInput("'\(path)' is a file, not a folder. Pass the folder that it lies in")
    }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw noInput("The folder '\(path)' may not be read. Pass one that may")
    }
    return URL(fileURLWithPath: path, isDirectory: true)
  }

  private func noInput(_ problem: String) -> CommandError {
    CommandError("\(problem): \(DemoTool.name) --path DIR", status: .noInput)
  }
}
