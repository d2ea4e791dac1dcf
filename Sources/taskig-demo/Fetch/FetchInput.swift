import Foundation

/// The URLs on standard input.
enum FetchInput {
  /// Whether standard input is a file or a pipe, rather than a terminal or nothing.
  static var isThere: Bool {
    var status = stat()
    return fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT != S_IFCHR
  }

  /// All lines that are not blank; blocks until there are no more.
  ///
  /// A signal ends the program meanwhile, since nothing has been begun.
  static func lines() throws -> [String] {
    do {
      let text = String(decoding: try FileHandle.standardInput.readToEnd() ?? Data(), as: UTF8.self).unicodeScalars
      // Some editors put a mark before the first line that is none of its letters.
      return String(text.first == "\u{FEFF}" ? text.dropFirst() : text[...]).split(whereSeparator: \.isNewline)
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    } catch {
      throw CommandError("Standard input cannot be read: \(error.systemReason).", status: .failure)
    }
  }
}
