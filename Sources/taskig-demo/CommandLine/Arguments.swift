/// The words that a command was given, taken apart: its options with their values, and its operands.
///
/// Options are written as is usual: `-j 4`, `-j4`, `-j=4`, `--jobs 4` or `--jobs=4`, flags of one letter also together; after `--`
/// nothing is an option.
struct Arguments {
  /// The words that are no options and no values of options, in their order.
  private(set) var operands: [String] = []
  /// Each option that was given, by its word, with its last value; a flag's is empty.
  private var values: [String: String] = [:]

  /// Takes the words apart.
  ///
  /// - Parameters:
  ///   - words: The words after the command's name.
  ///   - options: The options that there are.
  ///   - endsAtOperand: Whether all words from the first operand on are operands, as where that is a command with options of its own.
  init(_ words: some Sequence<String>, options: [Option], endsAtOperand: Bool) throws {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        return
      }
      if word.hasPrefix("--") {
        try take(word, &rest, options)
      } else if word.hasPrefix("-"), word != "-" {
        try takeLetters(word, &rest, options)
      } else {
        operands.append(word)
        if endsAtOperand {
          operands += rest
          return
        }
      }
    }
  }

  /// Whether the option was given.
  func has(_ option: Option) -> Bool { values[option.word] != nil }

  /// The option's value; of several, the last.
  func value(of option: Option) -> String? { values[option.word] }

  /// The option's value as a number within a range.
  func number(_ option: Option, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = value(of: option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let most =
        range.upperBound == .max ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw unusable(option, text, "a whole number \(most)")
    }
    return number
  }

  /// The option's value, a number of seconds above zero, as a duration.
  func seconds(_ option: Option) throws -> Duration? {
    guard let text = value(of: option) else { return nil }
    // Beyond a hundred years nobody means what is written.
    guard let seconds = Double(text), seconds > 0, seconds < 3.2e9 else {
      throw unusable(option, text, "a number of seconds above zero")
    }
    return .seconds(seconds)
  }

  /// Throws if there are operands beyond the first `count`.
  func requireNoOperands(after count: Int = 0) throws {
    guard let word = operands.dropFirst(count).first else { return }
    throw CommandError.usage("The argument '\(word)' is one too many.")
  }

  private func unusable(_ option: Option, _ text: String, _ wanted: String) -> CommandError {
    .usage(
      "'--\(option.word)' is '\(text)'. Make it \(wanted), as in '\(option.names[0]) \(option.value?.example ?? "1")'.")
  }

  private mutating func take(_ word: String, _ rest: inout ArraySlice<String>, _ options: [Option]) throws {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = options.first(where: { $0.word == parts[0] }) else {
      throw unknown("--\(parts[0])", options)
    }
    if option.value != nil {
      try take(option, parts.count > 1 ? String(parts[1]) : nil, &rest)
    } else if parts.count > 1 {
      throw CommandError.usage("'--\(option.word)' takes no value. Leave '=\(parts[1])' away.")
    } else {
      values[option.word] = ""
    }
  }

  private mutating func takeLetters(_ word: String, _ rest: inout ArraySlice<String>, _ options: [Option]) throws {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.letter == letter }) else {
        // A word after one dash is likelier meant to be a long option than a row of short ones.
        throw unknown(options.contains { "-\($0.word)" == word } ? word : "-\(letter)", options)
      }
      if option.value != nil {
        if letters.first == "=" { letters.removeFirst() }
        return try take(option, letters.isEmpty && word.last != "=" ? nil : String(letters), &rest)
      }
      if letters.first == "=" {
        throw CommandError.usage("'-\(letter)' takes no value. Leave '\(letters)' away.")
      }
      values[option.word] = ""
    }
  }

  private mutating func take(_ option: Option, _ text: String?, _ rest: inout ArraySlice<String>) throws {
    // A word that looks like an option is more likely one than a value, which can be given with a `=`.
    guard let text = text ?? (rest.first?.looksLikeOption == true ? nil : rest.popFirst()), !text.isEmpty else {
      let example = option.value?.example ?? ""
      throw CommandError.usage(
        "'--\(option.word)' lacks its value. Put one after it, as in '\(option.names[0]) \(example)'.")
    }
    values[option.word] = text
  }

  private func unknown(_ word: String, _ options: [Option]) -> CommandError {
    let meant = word.nearest(of: options.map { "--\($0.word)" }).map { " Did you mean '\($0)'?" } ?? ""
    return .usage("There is no option '\(word)'.\(meant)")
  }
}

extension String {
  /// Whether a dash makes the word an option; alone it stands for standard input, and before a digit it is a minus.
  fileprivate var looksLikeOption: Bool {
    hasPrefix("-") && self != "-" && dropFirst().first?.isNumber != true
  }
}
