/// The script with which bash completes the words of the tool; made so that the bash 3.2 of macOS understands it too.
struct BashCompletion {
  /// The words of a line that names no command, and then those of each command.
  let lines: [CommandWords]

  var text: String {
    let names = lines.dropFirst().map(\.name).joined(separator: " | ")
    return #"""
      # Completes the words of taskig-demo in bash. Made by: taskig-demo completions bash

      # Offers what compgen makes of its arguments; names of files may hold spaces.
      _taskig_demo_offer() {
        local reply
        case $1 in -f | -d) compopt -o filenames 2>/dev/null ;; esac
        while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen "$@" -- "$word")
      }

      _taskig_demo() {
        local word=${COMP_WORDS[COMP_CWORD]} command= option= options= valued= count=0 i=1
        COMPREPLY=()
        # In '--option=value', the '=' is a word of its own.
        [[ $word == = ]] && word=

        # A command is named by the first word.
        if ((COMP_CWORD > 1)); then
          case ${COMP_WORDS[1]} in
            \#(names)) command=${COMP_WORDS[1]} i=2 ;;
          esac
        fi

        case $command in
      \#(lines.map(optionsCase).joined(separator: "\n"))
        esac

        # What the word comes after: an option that lacks its value, '--', and how many operands.
        for ((; i < COMP_CWORD; i++)); do
          case ${COMP_WORDS[i]} in
            =) ;;
            --) if [[ $option ]]; then option=; else options= valued=; fi ;;
            *)
              if [[ $option ]]; then
                option=
              elif [[ " $valued " == *" ${COMP_WORDS[i]} "* ]]; then
                option=${COMP_WORDS[i]}
              elif [[ $options && ${COMP_WORDS[i]} == -?* ]]; then
                :
              else
                ((count++))\#(endOfOptions)
              fi
              ;;
          esac
        done

        if [[ ! $option && $options && $word == -* ]]; then
          _taskig_demo_offer -W "$options"
          return
        fi
        case "$command $option" in
      \#(lines.flatMap { valueCases($0) + operandCase($0) }.joined(separator: "\n"))
        esac
      }

      complete -F _taskig_demo taskig-demo

      """#
  }

  /// What ends the options of commands whose operands are a command.
  private var endOfOptions: String {
    let names = lines.filter { $0.operands == .command }.map(\.name)
    if names.isEmpty { return "" }
    return "\n          case $command in \(names.joined(separator: " | "))) options= valued= ;; esac"
  }

  private func optionsCase(_ line: CommandWords) -> String {
    let options = line.options.flatMap(\.names).joined(separator: " ")
    let valued = line.valued.flatMap(\.option.names).joined(separator: " ")
    let name = line.name.isEmpty ? "''" : line.name
    return "    \(name)) options=\(options.inQuotes)\(valued.isEmpty ? "" : " valued=\(valued.inQuotes)") ;;"
  }

  private func valueCases(_ line: CommandWords) -> [String] {
    line.valued.compactMap { option, value in
      let offer: String
      switch value.kind {
      case .file: offer = "-f"
      case .folder: offer = "-d"
      case .word(let words): offer = "-W \(words.joined(separator: " ").inQuotes)"
      case .number, .text: return nil
      }
      let spellings = option.names.map { "'\(line.name) \($0)'" }.joined(separator: " | ")
      return "    \(spellings)) _taskig_demo_offer \(offer) ;;"
    }
  }

  private func operandCase(_ line: CommandWords) -> [String] {
    let offer =
      switch line.operands {
      case .none, .urls: #"_taskig_demo_offer -W "$options""#
      case .word(let words): "((count)) || _taskig_demo_offer -W \(words.joined(separator: " ").inQuotes)"
      case .files: "_taskig_demo_offer -f"
      case .command: "if ((count)); then _taskig_demo_offer -f; else _taskig_demo_offer -c; fi"
      }
    return ["    '\(line.name) ') \(offer) ;;"]
  }
}
