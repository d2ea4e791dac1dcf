import Foundation
import Taskig

/// Bytes that wait for their turn: few of them in memory, many in a file.
///
/// Whoever uses it sees to it that only one thread does.
struct Spool {
  private let store: SpoolStore
  private let limit: Int
  /// How many bytes have come, those beyond the limit too.
  private(set) var count = 0
  private var memory = Data()
  private var file: URL?
  /// There while the file is written.
  private var writing: FileHandle?

  /// - Parameter limit: How many bytes are wanted; what comes after them is only counted.
  init(in store: SpoolStore, limit: Int = .max) {
    (self.store, self.limit) = (store, limit)
  }

  /// Whether more has come than is kept.
  var isTruncated: Bool { count > limit }

  mutating func append(_ bytes: Data) throws {
    let room = limit - min(count, limit)
    count += bytes.count
    let bytes = bytes.prefix(room)
    guard !bytes.isEmpty else { return }
    if file == nil, memory.count + bytes.count <= SpoolStore.mostOfStream, store.reserve(bytes.count) {
      memory.append(bytes)
      return
    }
    try reportingProblem {
      if writing == nil { try beginFile() }
      try writing?.write(contentsOf: bytes)
    }
  }

  /// Closes the file until its bytes are wanted: many may wait for their turn, and only so many files can be open.
  mutating func seal() { writing = nil }

  /// Hands out all bytes, piece by piece, and is empty then.
  mutating func drain(_ body: (Data) throws -> Void) throws {
    defer { clear() }
    seal()
    if !memory.isEmpty { try body(memory) }
    guard let file else { return }
    let reading = try reportingProblem { try FileHandle(forReadingFrom: file) }
    while let piece = try reportingProblem({ try reading.read(upToCount: 1 << 16) }), !piece.isEmpty {
      try body(piece)
    }
  }

  /// All bytes that are kept; it is empty then.
  mutating func takeAll() throws -> Data {
    var all = Data()
    try drain { all += $0 }
    return all
  }

  /// Forgets all bytes.
  mutating func clear() {
    store.release(memory.count)
    memory = Data()
    count = 0
    seal()
    if let file = file.take() { unlink(file.path) }
  }

  private mutating func beginFile() throws {
    let file = try self.file ?? store.makeFile()
    self.file = file
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    writing = handle
    try handle.write(contentsOf: memory)
    store.release(memory.count)
    memory = Data()
  }

  private func reportingProblem<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error where error is CommandError || error is CancellableTaskError {
      throw error
    } catch {
      throw store.problem(error.systemCode ?? EIO)
    }
  }
}
