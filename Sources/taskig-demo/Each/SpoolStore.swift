import Foundation
import Taskig

/// Where output waits for its turn: how much of all of it may be in memory, and the folder for the rest.
final class SpoolStore: Sendable {
  /// How many bytes of one stream of a job are kept in memory.
  static let mostOfStream = 256 << 10
  /// How many bytes of all jobs together are.
  static let mostOfAll = 16 << 20

  private struct State {
    var bytes = 0
    var files = 0
    var folder: URL?
    var isOver = false
  }

  private let state = Guarded(State())

  /// Takes room in memory, if there is enough.
  func reserve(_ count: Int) -> Bool {
    state.withLock { state in
      guard state.bytes + count <= Self.mostOfAll else { return false }
      state.bytes += count
      return true
    }
  }

  /// Gives room back.
  func release(_ count: Int) {
    if count > 0 { state.withLock { $0.bytes -= count } }
  }

  /// Makes an empty file, in a folder that nobody else may look into.
  func makeFile() throws -> URL {
    // In one step with the look whether all files have been taken away: nobody would take away one that is made after that.
    try state.withLock { state in
      if state.isOver { throw CancellableTaskError.taskWasCancelled }
      let folder = try state.folder ?? makeFolder()
      state.folder = folder
      state.files += 1
      let file = folder.appendingPathComponent("\(state.files)")
      let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw problem(errno) }
      close(descriptor)
      return file
    }
  }

  /// Says why output cannot be kept, by the system's number for that, and what to do.
  func problem(_ code: Int32) -> CommandError {
    let folder = FileManager.default.temporaryDirectory.path
    let remedy =
      [EMFILE, ENFILE].contains(code)
      ? "Run fewer jobs at once with '--jobs', or raise the limit" : "Set TMPDIR to a folder with more room"
    return CommandError(
      "The output of a job cannot be kept in '\(folder)': \(String(cString: strerror(code))). \(remedy).",
      status: EachCommand.otherError)
  }

  /// Takes away all files, for good.
  func remove() {
    let folder = state.withLock { state in
      state.isOver = true
      return state.folder.take()
    }
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  private func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(DemoTool.name)-\(UUID().uuidString)", isDirectory: true)
    guard mkdir(folder.path, 0o700) == 0 else { throw problem(errno) }
    return folder
  }
}
