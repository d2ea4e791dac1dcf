import Foundation
import Taskig

/// Writes what jobs have written to our own streams, past the progress line if there is one; from any thread.
final class JobPrinter: Sendable {
  /// How many bytes a pipe that takes any takes without waiting.
  private static let piece = Int(PIPE_BUF)

  private let live: LiveLines
  private let showsOutput = Output.standard.isTerminal
  private let bell = Bell()
  /// Whether the terminal's cursor is where a line begins: elsewhere the progress line would cover what is there.
  private let isAtLineStart = Guarded(true)

  init(past live: LiveLines) {
    self.live = live
  }

  /// Writes all of the bytes; blocks while the stream takes no more.
  ///
  /// - Throws: `OutputError`, or `CancellableTaskError.taskWasCancelled` once the printer is closed.
  func write(_ bytes: Data, to stream: JobStream) throws {
    guard !bytes.isEmpty else { return }
    guard live.areVisible, stream == .errors || showsOutput else { return try writePieces(of: bytes, to: stream) }
    try isAtLineStart.withLock { isAtLineStart in
      try live.above { try writePieces(of: bytes, to: stream) }
      isAtLineStart = bytes.last == UInt8(ascii: "\n")
    }
  }

  /// Begins a new line where the progress line, or one of our own, would stand in the middle of one.
  func endLine() throws {
    try isAtLineStart.withLock { isAtLineStart in
      if !isAtLineStart { try writePieces(of: Data("\n".utf8), to: .errors) }
      isAtLineStart = true
    }
  }

  /// Draws the progress line, if there is room for it.
  func draw(_ line: String) {
    isAtLineStart.withLock { if $0 { live.show([line]) } }
  }

  /// Ends all writing, also what waits for a reader.
  func close() { bell.ring() }

  private func writePieces(of bytes: Data, to stream: JobStream) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      try bell.wait(for: stream.descriptor, toBe: POLLOUT)
      try stream.target.write(rest.prefix(Self.piece))
      rest = rest.dropFirst(Self.piece)
    }
  }
}
