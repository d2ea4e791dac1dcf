import Foundation
import Taskig

/// Files from the web, several at a time.
struct FetchCommand: Command {
  static let name = "fetch"
  static let summary = "Fetch files from the web, several at a time."
  static let usages = ["[OPTION]... URL...", "[OPTION]... < FILE", "--first [OPTION]... URL..."]
  static let details = [
    """
    URLs of http and https are fetched into the current folder, or DIR. Where '-' stands, or no URL is given and standard input \
    is a file or a pipe, URLs are read from there, one on each line. A URL that is given twice is fetched once.
    """,
    """
    A file is called what the URL's path ends with, or 'index.html'. Of two with one name, the second is called 'name-2.txt'. A \
    file gets its name when all of it is there, and takes the place of one that has it. Until then it is a hidden file in DIR, \
    which begins with '.taskig-' and goes when the fetch fails or is called off. What ends the program at once, such as kill -9 or a crash, \
    leaves it there. An interrupted fetch begins anew.
    """,
    """
    What may pass is tried again: a connection that is refused, lost or silent, an answer that breaks off, and the statuses 408, \
    429 and all from 500 on. What will not is told at once, such as 404 or a host that there is not. The pauses between tries \
    double each time and differ by chance; a server that asks for a longer one with Retry-After gets it, up to two minutes.
    """,
    """
    On Linux, Foundation ends the program, with all fetches, if a server hangs up in the middle of an answer's head; put each \
    server that may do so into a run of its own. A host that is written as an IPv6 address is not reached there: write its name.
    """,
  ]
  static let operands = Operands.urls
  private static let jobs = Option(
    letter: "j", "jobs", value: .number("N", as: "6"),
    "How many files are fetched at a time; 6 unless you say otherwise.")
  private static let folder = Option(
    letter: "o", "output-dir", value: .folder("DIR", as: "downloads"),
    "The folder to put the files in, made if need be; the current one unless you say otherwise.")
  private static let first = Option(
    "first", "All URLs are mirrors of one file, and named as the first: keep what arrives whole first, end the others.")
  private static let retries = Option(
    letter: "r", "retries", value: .number("N", as: "2"),
    "How often to try again after a failure; 2 unless you say otherwise.")
  private static let pause = Option(
    "pause", value: .number("S", as: "0.5"),
    "The longest pause before the second try, in seconds; 0.5 unless you say otherwise.")
  private static let timeout = Option(
    letter: "t", "timeout", value: .number("S", as: "60"),
    "How many seconds each try may take; no limit unless you say so.")
  private static let stall = Option(
    "stall", value: .number("S", as: "30"),
    "After how many seconds without a byte a try has failed; 30 unless you say otherwise.")
  static let options = [jobs, folder, first, retries, pause, timeout, stall]
  static let examples = [
    (
      command: "taskig-demo fetch -o pics https://a.example/1.jpg https://a.example/2.jpg",
      meaning: "Fetch two pictures into a folder of their own."
    ),
    (command: "taskig-demo fetch -j 20 < urls.txt", meaning: "Fetch all URLs of a list, twenty at a time."),
    (
      command: "taskig-demo fetch --first https://a.example/x.iso https://b.example/x.iso",
      meaning: "Fetch a file from whichever mirror has all of it first."
    ),
  ]
  static let statuses = [
    (status: "0", meaning: "Everything is there."),
    (status: "1", meaning: "Something could not be fetched; a line for each on standard error says why."),
    (status: "64", meaning: "The command line is wrong."),
    (status: "74", meaning: "The output cannot be written."),
    (status: "130", meaning: "Ctrl-C has called it off; 143 and 129 for SIGTERM and SIGHUP."),
  ]

  private let words: [String]
  private let path: String
  private let isRace: Bool
  private let manners: FetchManners

  init(_ arguments: Arguments) throws {
    words = arguments.operands.isEmpty && FetchInput.isThere ? ["-"] : arguments.operands
    guard !words.isEmpty else {
      throw CommandError.usage("There is no URL. Name one, or put a list on standard input.")
    }
    path = arguments.value(of: Self.folder) ?? "."
    isRace = arguments.has(Self.first)
    manners = FetchManners(
      jobs: try arguments.number(Self.jobs, in: 1...1_000) ?? 6,
      retries: try arguments.number(Self.retries, in: 0...1_000) ?? 2,
      pause: try arguments.seconds(Self.pause) ?? .milliseconds(500),
      timeout: try arguments.seconds(Self.timeout),
      stall: try arguments.number(Self.stall, in: 1...86_400) ?? 30)
  }

  func run(on page: Page) throws -> ExitStatus {
    let list = FetchList(try words.flatMap { $0 == "-" ? try FetchInput.lines() : [$0] })
    for complaint in list.complaints { FetchBoard.complain(complaint) }
    guard !list.downloads.isEmpty else { return list.complaints.isEmpty ? .success : .failure }
    let folder = try FetchFolder(path)
    let board = FetchBoard(total: isRace ? 1 : list.downloads.count, on: Terminal(of: .standardError))
    let run = FetchRun(manners: manners, folder: folder, board: board)
    let isDone = try Task.cancelling(on: SIGINT, SIGTERM, SIGHUP) {
      try board.whileDrawn { try isRace ? run.race(list.downloads) : run.fetchAll(list.downloads) }
    }
    // A mirror that is none takes nothing from the file that another one had.
    return isDone && (isRace || list.complaints.isEmpty) ? .success : .failure
  }
}
