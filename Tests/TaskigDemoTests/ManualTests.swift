import Foundation
import Testing

@testable import taskig_demo

extension DemoTests {
  /// The page of the manual.
  struct ManualTests {
    private static let page = Result { try ChildRun.demo("man") }

    @Test
    func `The page has the usual sections, and a heading for each command`() throws {
      let run = try Self.page.get()
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(run.lines[0] == #".TH TASKIG\-DEMO 1 "" "taskig\-demo 0.1.0" "User Commands""#)
      let sections = run.lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4).filter { $0 != "\"" } }
      #expect(
        sections == [
          "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES",
          "SEE ALSO",
        ])
      let headings = run.lines.filter { $0.hasPrefix(".SS ") }.map { String($0.dropFirst(4)) }
      #expect(headings == DemoTool.commands.map { Roff.escaped($0.name) })
    }

    @Test
    func `It explains every option and shows every example`() throws {
      let run = try Self.page.get()
      for command in DemoTool.commands {
        for option in command.options {
          #expect(run.lines.contains { $0.contains(Roff.bold("--\(option.word)")) })
        }
        for example in command.examples { #expect(run.lines.contains(Roff.escaped(example.command))) }
      }
    }

    @Test
    func `What roff would read or change is escaped`() {
      #expect(Roff.escaped(#"a\b -c "d" 'e' `f` ^~"#) == #"a\(rsb \-c \(dqd\(dq \(aqe\(aq \(gaf\(ga \(ha\(ti"#)
      #expect(Roff.escaped("é…😀") == "\\[u00E9]\\[u2026]\\[u1F600]")
      var roff = Roff()
      roff.paragraph(".hidden")
      roff.paragraph("'quoted'")
      #expect(roff.text == "\\&.hidden\n\\(aqquoted\\(aq\n")
    }

    @Test(.enabled(if: Products.isInstalled("mandoc"), "There is no mandoc."))
    func `mandoc finds nothing to blame but that there is no date`() throws {
      let page = try Self.page.get().output
      for page in [page, ManualPage(SampleCommands.all).text] {
        let run = try piped(page, into: "mandoc -Tlint -Wstyle")
        #expect(run.lines.filter { !$0.isEmpty && !$0.contains("missing date") } == [])
      }
    }

    @Test(.enabled(if: Products.isInstalled("groff"), "There is no groff."))
    func `groff sets it without a warning, and what it shows is what was meant`() throws {
      let run = try piped(ManualPage(SampleCommands.all).text, into: "groff -man -ww -Tutf8 -P-c -P-b -P-u")
      #expect(run.errors == "")
      for line in [
        "SYNOPSIS", "       taskig-demo over [OPTION]...", #"       .hidden files\nare not meant."#,
        "       -j, --jobs N",
        #"           'over' "a\b" ~ `x` ^"#,
      ] {
        #expect(run.lines.contains(line))
      }
      #expect(run.output.contains(#"it's [here] \ "there". More is said"#))
    }

    private func piped(_ text: String, into command: String) throws -> ChildRun {
      try ChildRun("/bin/sh", ["-c", "printf %s \"$TEXT\" | \(command)"], environment: ["TEXT": text])
    }
  }
}
