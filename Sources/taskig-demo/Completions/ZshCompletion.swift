/// The script with which zsh completes the words of the tool.
struct ZshCompletion {
  let commands: [CommandWords]
  /// The words of a line that names no command.
  let start: CommandWords

  var text: String {
    #"""
    #compdef taskig-demo
    # Completes the words of taskig-demo in zsh. Made by: taskig-demo completions zsh

    _taskig-demo() {
      local curcontext=$curcontext name=$words[2]
      local -a names=(
    \#(commands.map { "    " + "\($0.name):\($0.summary)".inQuotes }.joined(separator: "\n"))
      )

      # The first word is an option, or names a command, which then takes the place of the tool.
      if [[ $name != -* ]]; then
        if (( CURRENT == 2 )); then
          _describe -t commands command names
          return
        fi
        shift words
        (( CURRENT-- ))
      fi

      case $name in
    \#(commands.map { cases($0, pattern: $0.name) }.joined(separator: "\n"))
    \#(cases(start, pattern: "-*"))
      esac
    }

    # In a folder of $fpath, this file is the function itself; loaded by 'source', it only makes it known.
    if [[ $funcstack[1] == _taskig-demo ]]; then
      _taskig-demo "$@"
    else
      compdef _taskig-demo taskig-demo
    fi

    """#
  }

  private func cases(_ line: CommandWords, pattern: String) -> String {
    let specifications = line.options.map(specification) + (line.name.isEmpty ? [] : operands(of: line.operands))
    return "    \(pattern))\n      _arguments -s -S"
      + specifications.map { " \\\n        " + $0 }.joined() + "\n      ;;"
  }

  private func specification(_ option: Option) -> String {
    let gist = "[" + option.gist.escaped("\\", "[", "]") + "]"
    let value = option.value.map { ":\($0.name):" + action($0.kind) } ?? ""
    let long = "--\(option.word)" + (option.value == nil ? "" : "=")
    guard let letter = option.letter else { return (long + gist + value).inQuotes }
    // One of both spellings is enough, so each takes the other away.
    let short = "-\(letter)" + (option.value == nil ? "" : "+")
    return "'(\(option.names.joined(separator: " ")))'{\(short),\(long)}\((gist + value).inQuotes)"
  }

  private func action(_ kind: Option.Value.Kind) -> String {
    switch kind {
    case .file: "_files"
    case .folder: "_files -/"
    case .word(let words): "(\(words.joined(separator: " ")))"
    case .number, .text: " "
    }
  }

  private func operands(of kind: Operands) -> [String] {
    switch kind {
    case .none: []
    case .word(let words): ["'1:word:(\(words.joined(separator: " ")))'"]
    case .urls: ["'*:URL:_urls'"]
    case .files: ["'*:file:_files'"]
    case .command: ["'(-)1:command:_command_names -e'", "'*::argument:_normal'"]
    }
  }
}
