import Foundation

/// The files of a folder that are worth counting, and how many are not.
struct FolderListing {
  /// Why a file is left out.
  enum Reason: String, CaseIterable {
    case unreadable
    case binary
    case huge = "over 1 MB"
    case irregular = "links or special"
    case empty
    case late = "for lack of time"
  }

  static let largest = 1_000_000
  private static let skippedFolders: Set = [".build", ".git"]

  private(set) var files: [URL] = []
  private(set) var skipped: [Reason: Int] = [:]
  private(set) var foldersSkipped = 0
  /// Whether the whole folder was looked through in the time allowed.
  private(set) var isComplete = true

  /// Looks through the folder for as long as allowed.
  init(of folder: URL, within limit: Duration) {
    let deadline = ContinuousClock.now + limit
    let keys: Set<URLResourceKey> = [.isRegularFileKey, .isDirectoryKey, .isSymbolicLinkKey, .fileSizeKey]
    var unreadable = 0
    let enumerator = FileManager.default.enumerator(
      // A link to a folder is looked through too if it is the one that was asked for.
      at: folder.resolvingSymlinksInPath(), includingPropertiesForKeys: Array(keys), options: [],
      errorHandler: { _, _ in
        unreadable += 1
        return true
      })
    while let file = enumerator?.nextObject() as? URL {
      guard ContinuousClock.now < deadline else {
        isComplete = false
        break
      }
      let values = try? file.resourceValues(forKeys: keys)
      if values?.isDirectory == true {
        guard Self.skippedFolders.contains(file.lastPathComponent) else { continue }
        enumerator?.skipDescendants()
        foldersSkipped += 1
      } else {
        note(file, values)
      }
    }
    skip(unreadable, .unreadable)
  }

  mutating func skip(_ count: Int, _ reason: Reason) {
    skipped[reason, default: 0] += count
  }

  private mutating func note(_ file: URL, _ values: URLResourceValues?) {
    // Not only links: opening a named pipe would wait for somebody to write to it.
    guard values?.isRegularFile == true, values?.isSymbolicLink != true else { return skip(1, .irregular) }
    guard values?.fileSize ?? 0 <= Self.largest else { return skip(1, .huge) }
    // An empty file has nothing to count, and one that only says that it is, as in /proc, may keep its reader
    // waiting.
    guard values?.fileSize ?? 0 > 0 else { return skip(1, .empty) }
    files.append(file)
  }
}
