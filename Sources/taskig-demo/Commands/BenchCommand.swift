import Foundation
import Taskig

/// Measures the library beside Dispatch and Swift concurrency.
struct BenchCommand: Command {
  static let name = "bench"
  static let summary = "Measure Taskig here, beside Dispatch and Swift concurrency."
  static let usages = ["[--quick] [--json]"]
  static let details = [
    """
    Each row is a piece of work that is done in two or three ways. They take turns in the same run, and what comes of them is \
    checked; the figures are the medians. It takes about 15 seconds, and other work on the machine disturbs it.
    """,
    """
    Figures of a debug build mean little. From the package's folder, the first example makes a release build. With --trace, \
    the figures include what tracing costs.
    """,
  ]
  private static let quick = Option("quick", "Take two seconds, with fewer rounds and less work, for a first look.")
  private static let json = Option(
    "json", "Print an array of objects, one for each row, with times in nanoseconds.")
  static let options = [quick, json]
  static let examples = [
    (command: "swift run -c release taskig-demo bench", meaning: "Measure a release build."),
    (
      command: "taskig-demo bench --json | jq -r '.[] | [.name, .taskig] | @tsv'",
      meaning: "Print the names and Taskig's times."
    ),
  ]
  static let statuses = [
    (status: "0", meaning: "All has been measured."),
    (status: "1", meaning: "One of the ways gave a wrong result."),
    (status: "64", meaning: "The command line is wrong."),
    (status: "74", meaning: "The output cannot be written."),
    (status: "130", meaning: "Ctrl-C called it off; 143 after SIGTERM."),
  ]

  private let isQuick: Bool
  private let printsJSON: Bool

  init(_ arguments: Arguments) throws {
    try arguments.requireNoOperands()
    isQuick = arguments.has(Self.quick)
    printsJSON = arguments.has(Self.json)
  }

  func run(on page: Page) throws -> ExitStatus {
    #if DEBUG
      try? Output.standardError.write(
        "A debug build's figures mean little. Do: swift run -c release taskig-demo bench\n")
    #endif
    let referee = Referee(rounds: isQuick ? 3 : 7, least: .milliseconds(isQuick ? 2 : 20))
    return try Task.cancelling(on: SIGINT, SIGTERM) {
      try play(referee, on: page)
      return .success
    }
  }

  private func play(_ referee: Referee, on page: Page) throws {
    let lines = LiveLines(on: Terminal(of: .standardError))
    defer { lines.clear() }
    let table = BenchTable(on: page)
    if !printsJSON { table.writeHead() }
    var rows: [BenchRow] = []
    for (index, contest) in contests.enumerated() {
      let row = try referee.measure(contest) { round in
        let stage = round == 0 ? "warming up" : "round \(round) of \(referee.rounds)"
        lines.show(["\(index + 1) of \(contests.count)  \(contest.title): \(stage)"])
      }
      rows.append(row)
      if !printsJSON { lines.above { table.write(row, of: contest) } }
    }
    lines.clear()
    if printsJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try Output.standard.write(try encoder.encode(rows) + Data("\n".utf8))
    } else {
      table.writeFoot(rounds: referee.rounds)
    }
  }

  private var contests: [Contest] {
    [
      .single, .nested(levels: 1_000), .callback, .bridge, .cheap(count: isQuick ? 1_000 : 10_000),
      isQuick
        ? .blocking(count: 100, for: .milliseconds(2), limit: 50)
        : .blocking(count: 200, for: .milliseconds(10), limit: 50),
      .callbacks(count: isQuick ? 500 : 5_000, after: .milliseconds(isQuick ? 5 : 20)),
    ]
  }
}
