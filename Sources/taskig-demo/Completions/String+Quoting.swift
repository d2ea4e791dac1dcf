extension String {
  /// The text as one word of bash or zsh, in single quotes.
  var inQuotes: String { "'" + unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'" }

  /// The text as one word of fish, in single quotes, in which backslashes escape.
  var inFishQuotes: String { "'" + escaped("\\", "'") + "'" }

  /// The text with a backslash before each of these.
  func escaped(_ characters: Character...) -> String {
    reduce(into: "") { text, character in
      if characters.contains(character) { text.append("\\") }
      text.append(character)
    }
  }
}
