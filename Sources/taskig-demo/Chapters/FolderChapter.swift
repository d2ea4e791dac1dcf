import Foundation
import Taskig

/// Many tasks of one kind, one at a time and several at once: the files of a folder, and slow answers.
struct FolderChapter: Chapter {
  let title = "Many at once: counting the files of a folder"
  let folder: URL

  private static let concurrency = 8

  func run(on stage: Stage) throws {
    stage.say("Count lines, words and bytes of the files in \(folder.path), one at a time and eight at once.")
    var listing = FolderListing(of: folder, within: .milliseconds(700))
    let files = survey(&listing)
    let tasks = files.map { count($0, stage) }
    let (oneByOne, slowTime) = stage.measure { tasks.map { $0.awaitResult() } }
    let (together, fastTime) = stage.measure { tasks.awaitAllResults(concurrency: Self.concurrency) }

    let counted = compare(files, oneByOne, together)
    FolderTable(counted, page: stage.page).draw()
    tellSkipped(listing, on: stage)
    stage.report("Counted \(files.count.of("file")), one at a time", slowTime)
    stage.report("Counted \(files.count.of("file")), \(Self.concurrency) at once", fastTime)
    tellSpeedUp(slowTime / fastTime, of: files.count, on: stage)
    stage.check("files on which both disagree", counted.filter { $0.once != $0.again }.count, is: 0)
    LatencyMeasurement().run(on: stage)
  }

  private func count(_ file: URL, _ stage: Stage) -> ThrowableTask<TextTally> {
    ThrowableTask { try stage.work("count") { try TextTally(contentsOf: file) } }
  }

  /// Reads all files once, or as many as there is time for.
  ///
  /// So the two that are timed find the same files, equally warm.
  private func survey(_ listing: inout FolderListing) -> [URL] {
    let deadline = ContinuousClock.now + .milliseconds(700)
    var files: [URL] = []
    for (index, file) in listing.files.enumerated() {
      guard ContinuousClock.now < deadline else {
        listing.skip(listing.files.count - index, .late)
        break
      }
      do {
        _ = try TextTally(contentsOf: file)
        files.append(file)
      } catch {
        listing.skip(1, error is TextTally.Unsuitable ? .binary : .unreadable)
      }
    }
    return files
  }

  /// Pairs what both found, and leaves out what somebody wrote to meanwhile, for that is nobody's mistake.
  private func compare(
    _ files: [URL], _ first: [TaskResult<TextTally>], _ second: [TaskResult<TextTally>]
  ) -> [FolderTable.Entry] {
    zip(files, zip(first, second)).compactMap { file, results in
      let (once, again) = (try? results.0.get(), try? results.1.get())
      guard let once, once == again || once == (try? TextTally(contentsOf: file)) else { return nil }
      return FolderTable.Entry(kind: file.pathExtension, once: once, again: again ?? TextTally())
    }
  }

  private func tellSkipped(_ listing: FolderListing, on stage: Stage) {
    let reasons = FolderListing.Reason.allCases.compactMap { reason in
      listing.skipped[reason].flatMap { $0 > 0 ? "\($0.text) \(reason.rawValue)" : nil }
    }
    let count = listing.skipped.values.reduce(0, +)
    let why = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
    let folders = "\(listing.foldersSkipped.of("folder")) named .git or .build"
    stage.say("Skipped \(count.of("file"))\(why) and \(folders).")
    if !listing.isComplete { stage.say("The folder is so large that only a part of it was looked through.") }
  }

  private func tellSpeedUp(_ factor: Double, of count: Int, on stage: Stage) {
    if count == 0 {
      stage.say("There is nothing to count. Choose another folder with --path DIR.")
    } else if factor >= 1.05 {
      let cores = ProcessInfo.processInfo.activeProcessorCount
      stage.say("That is \(factor.text) times as fast, on \(cores.of("core")).")
    } else {
      stage.say(
        "That is \(String(format: "%.2f", factor)) times as fast, so it brought nothing here: the files are "
          + "too few or too small, or the cores are busy with something else.")
    }
  }
}
