/// The words that the program was started with.
enum ProgramWords {
  /// Throws if one of them is not UTF-8: Swift puts another character in place of what it cannot read, and a command would be done to
  /// a file of another name.
  static func requireUTF8() throws {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else { continue }
      throw CommandError(
        "The argument '\(String(cString: word))' is not UTF-8, and would be changed on its way. Rename what it names, or convert it.",
        status: .usage)
    }
  }
}
