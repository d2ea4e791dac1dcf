import Foundation

/// Standard input, taken apart into arguments no sooner than they are needed.
struct ArgumentReader {
  /// More than any system takes, in bytes.
  private static let longest = 1 << 20

  private let separator: UInt8
  private let bell: Bell
  private var buffer: [UInt8] = []
  /// Where the next argument begins, and up to where its end has been looked for.
  private var (start, searched) = (0, 0)
  private var isAtEnd = false
  private var number = 0

  /// - Parameters:
  ///   - endedByNUL: Whether a NUL character ends each argument, rather than a line break.
  ///   - bell: What ends a wait for more.
  init(endedByNUL: Bool, bell: Bell) {
    separator = endedByNUL ? 0 : UInt8(ascii: "\n")
    self.bell = bell
  }

  /// The next argument; `nil` at the end.
  mutating func next() throws -> String? {
    while true {
      if let end = buffer[searched...].firstIndex(of: separator) {
        return try take(upTo: end)
      }
      searched = buffer.endIndex
      guard searched - start <= Self.longest else {
        number += 1
        throw unusable(
          "is longer than a mebibyte. Say '--null' if that is what separates the arguments, or pass it in a file.")
      }
      if isAtEnd { return start < buffer.endIndex ? try take(upTo: buffer.endIndex) : nil }
      try readOn()
    }
  }

  private mutating func take(upTo end: Int) throws -> String {
    number += 1
    defer {
      start = min(end + 1, buffer.endIndex)
      searched = start
    }
    let bytes = buffer[start..<end]
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw unusable("is not UTF-8. Convert it first, with iconv for example.")
    }
    if separator != 0, bytes.contains(0) {
      throw unusable("holds a NUL character. Pass '--null' if that is what separates the arguments.")
    }
    return text
  }

  private func unusable(_ problem: String) -> CommandError {
    CommandError(
      "\(separator == 0 ? "Argument" : "Line") \(number) of standard input \(problem)", status: EachCommand.otherError)
  }

  private mutating func readOn() throws {
    buffer.removeFirst(start)
    (start, searched) = (0, buffer.endIndex)
    try bell.wait(for: STDIN_FILENO, toBe: POLLIN)
    var count = -1
    let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { room, length in
      repeat { count = read(STDIN_FILENO, room.baseAddress, room.count) } while count < 0 && errno == EINTR
      length = max(0, count)
    }
    guard count >= 0 else {
      let reason = String(cString: strerror(errno))
      throw CommandError(
        "Standard input cannot be read: \(reason). Put the arguments after ':::', or into a file.",
        status: EachCommand.otherError)
    }
    isAtEnd = count == 0
    buffer += piece
  }
}
