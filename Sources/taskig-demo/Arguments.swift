/// The words of the command line, from which commands take what they understand.
struct Arguments {
  private var words: [String]

  init(_ words: some Sequence<String>) {
    self.words = Array(words)
  }

  /// Takes the first word if it names a command, which is to say, if it is no option.
  mutating func takeCommand() -> String? {
    guard let first = words.first, !first.hasPrefix("-") else { return nil }
    return words.removeFirst()
  }

  /// Takes an option without a value, and returns whether it was there under one of its names.
  mutating func takeFlag(_ names: String...) -> Bool {
    let count = words.count
    words.removeAll { names.contains($0) }
    return words.count < count
  }

  /// Takes an option and its value, `--name VALUE` or `--name=VALUE`; of several, the last one counts.
  ///
  /// - Parameters:
  ///   - name: The option, with its dashes.
  ///   - meaning: What the value is, for the message when it is missing.
  mutating func takeValue(of name: String, meaning: String) throws -> String? {
    var value: String?
    while let index = words.firstIndex(where: { $0 == name || $0.hasPrefix("\(name)=") }) {
      let word = words.remove(at: index)
      var found = word.dropFirst(name.count + 1)
      if word == name {
        // A word that looks like an option is more likely one than a folder, which can be given as ./-name.
        guard index < words.count, !words[index].hasPrefix("-") else { throw missing(meaning, after: name) }
        found = words.remove(at: index)[...]
      }
      guard !found.isEmpty else { throw missing(meaning, after: name) }
      value = String(found)
    }
    return value
  }

  /// Throws if a word is left that no command has taken.
  func requireNone() throws {
    guard let word = words.first else { return }
    throw CommandError.usage(
      word.hasPrefix("-") ? "There is no option '\(word)'." : "The argument '\(word)' is one too many.")
  }

  private func missing(_ meaning: String, after name: String) -> CommandError {
    .usage("'\(name)' lacks its value. Put \(meaning) after it, as in '\(name) Sources'.")
  }
}
