import Foundation
import Testing

@testable import taskig_demo

extension DemoTests {
  /// What shells answer with the scripts that are made for them.
  struct CompletionTests {
    /// A folder with files and folders; one name holds a space.
    private let folder: SampleFolder

    init() throws {
      folder = try SampleFolder()
      try Data().write(to: folder.url.appendingPathComponent("one file"))
    }

    @Test(arguments: [
      (["lo"], ["look"]),
      ([""], ["look", "over", "read", "web"]),
      (["--"], ["--in", "--from", "--as", "--quiet", "--trace", "--help", "--version"]),
      (["--as", ""], ["text", "json"]),
      (["look", "-"], ["--in", "--from", "--as", "-q", "--quiet", "--trace", "-h", "--help"]),
      (["look", "--as", "j"], ["json"]),
      (["look", "--as", "=", "j"], ["json"]),
      (["look", "--as", "="], ["text", "json"]),
      (["look", "--in", "d"], ["deep"]),
      (["look", "--in", "=", "d"], ["deep"]),
      (["look", "--from", "o"], ["one file"]),
      (["look", "--in", "deep", "--q"], ["--quiet"]),
      (["over", "-"], ["-j", "--jobs", "--trace", "-h", "--help"]),
      (["over", "--jobs", ""], []),
      (["over", "-j4", "compge"], ["compgen"]),
      (["over", "--jobs", "4", "--h"], ["--help"]),
      (["over", "--jobs", "4", "gzip", "--h"], []),
      (["over", "--", "gzip", "o"], ["one file"]),
      (["read", "x", "o"], ["one file"]),
      (["read", "x", "--"], ["--trace", "--help"]),
      (["read", "--", "--"], []),
      (["web", "x", "--h"], ["--help"]),
      (["lock", ""], []),
    ])
    func `bash completes what can stand there`(words: [String], answers: [String]) throws {
      let driver = #"""
        eval "$SCRIPT"
        COMP_WORDS=(taskig-demo "$@"); COMP_CWORD=$#
        _taskig_demo
        printf '%s\n' "${COMPREPLY[@]}"
        """#
      let run = try ChildRun(
        "/bin/bash", ["-c", driver, "bash"] + words, environment: ["SCRIPT": script(.bash)], in: folder.url)
      #expect(run.errors == "")
      #expect(Set(run.lines.filter { !$0.isEmpty }) == Set(answers))
    }

    @Test(.enabled(if: Products.isInstalled("fish"), "There is no fish."))
    func `fish completes what can stand there, with what it means`() throws {
      let expected = [
        ("lo", ["look\tDo what 'look' says: nothing."]),
        ("look --i", ["--in\tWhere to look, it's [here] \\ \"there\""]),
        ("--vers", ["--version\tShow the version"]),
        ("look --vers", []),
        ("look --as j", ["json\tThe form"]),
        ("--as=j", ["--as=json\tThe form"]),
        ("look --in d", ["deep/\tDirectory"]),
        ("look --from o", ["one file"]),
        ("over --jobs ", []),
        ("over -j 4 --h", ["--help\tShow this help"]),
        ("over -j 4 true --hel", []),
        ("over -j 4 cat o", ["one file"]),
        ("read look o", ["one file"]),
        ("look o", []),
        ("look -- ", []),
        ("web x --h", ["--help\tShow this help"]),
      ]
      let driver = #"""
        echo $SCRIPT | source
        for line in $argv
          complete -C "taskig-demo $line"
          echo .
        end
        """#
      let run = try ChildRun(
        "/usr/bin/env", ["fish", "--no-config", "-c", driver] + expected.map(\.0),
        environment: ["SCRIPT": script(.fish)], in: folder.url)
      #expect(run.errors == "")
      let answers = run.lines.split(separator: ".", omittingEmptySubsequences: false)
      for ((line, expected), answer) in zip(expected, answers) {
        #expect(Array(answer) == expected, "after taskig-demo \(line)")
      }
    }

    @Test(.enabled(if: Products.isInstalled("zsh"), "There is no zsh."))
    func `zsh is told the options of the command that stands there, and what they mean`() throws {
      #expect(try zsh("lo").contains("look:Do what 'look' says: nothing."))
      let look = try zsh("look", "-")
      #expect(look.contains(#"--in=[Where to look, it's \[here\] \\ "there"]:DIR:_files -/"#))
      #expect(look.contains("--from=[A file]:FILE:_files"))
      #expect(look.contains("--as=[The form]:FORM:(text json)"))
      #expect(look.contains("(-q --quiet)--quiet[Say nothing]") && look.contains("(-q --quiet)-q[Say nothing]"))
      #expect(!look.contains { $0.hasPrefix("--version") })
      #expect(try zsh("--in", "x", "-").contains("--version[Show the version]"))
      #expect(try zsh("over", "-").contains("(-j --jobs)-j+[How many at once]:N: "))
      #expect(try zsh("over", "").contains("(-)1:command:_command_names -e"))
      #expect(try zsh("read", "").contains("*:file:_files"))
      #expect(try zsh("web", "x", "").contains("*:URL:_urls"))
      #expect(try zsh("lock", "") == [])
    }

    @Test(arguments: Shell.allCases)
    func `The shell takes the script of the real commands without complaint`(shell: Shell) throws {
      let script = try ChildRun.demo("completions", shell.rawValue)
      #expect(script.status == 0)
      #expect(script.errors == "")
      guard Products.isInstalled(shell.rawValue) else { return }
      let run = try ChildRun("/usr/bin/env", [shell.rawValue, "-n", "-c", script.output])
      #expect(run.status == 0)
      #expect(run.errors == "")
    }

    @Test(arguments: Shell.allCases)
    func `Every command and every option of it is in every script`(shell: Shell) throws {
      let script = try ChildRun.demo("completions", shell.rawValue).output
      for command in DemoTool.commands {
        #expect(script.contains(command.name))
        for option in command.allOptions {
          #expect(script.contains(shell == .fish ? "-l \(option.word)" : "--\(option.word)"))
          if let letter = option.letter {
            #expect(script.contains(shell == .fish ? "-s \(letter) " : "-\(letter)"))
          }
          let gist =
            switch shell {
            case .bash: option.word[...]
            case .zsh: "[\(option.gist.escaped("\\", "[", "]"))]".inQuotes.dropFirst().dropLast()
            case .fish: option.gist.inFishQuotes[...]
            }
          #expect(script.contains(gist))
        }
      }
    }

    @Test(arguments: [
      ([], "Which shell is it for? Name one of: bash, zsh, fish."),
      (["tcsh"], "There is no script for the shell 'tcsh'. Name one of: bash, zsh, fish."),
      (["bash", "zsh"], "The argument 'zsh' is one too many."),
    ])
    func `A shell that there is no script for is told`(words: [String], message: String) throws {
      let run = try ChildRun(Products.demo(), ["completions"] + words)
      #expect(run.status == 64)
      #expect(run.output == "")
      #expect(run.errors.hasPrefix("taskig-demo: \(message)\nUsage: taskig-demo completions SHELL\n"))
    }

    private func script(_ shell: Shell) -> String { shell.script(for: SampleCommands.all) }

    /// What the script tells zsh's own functions, which alone know the answers.
    private func zsh(_ words: String...) throws -> [String] {
      let driver = #"""
        compdef() { }; _arguments() { print -rl -- "$@" }; _describe() { print -rl -- ${(P)4} }
        eval "$SCRIPT"
        words=(taskig-demo "$@"); CURRENT=$#words
        _taskig-demo
        """#
      let run = try ChildRun(
        "/usr/bin/env", ["zsh", "-f", "-c", driver, "zsh"] + words, environment: ["SCRIPT": script(.zsh)])
      #expect(run.errors == "")
      return run.lines.filter { !$0.isEmpty }
    }
  }
}
