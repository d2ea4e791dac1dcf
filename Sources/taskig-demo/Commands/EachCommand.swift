import Foundation
import Taskig

/// The command that runs another one for each of many arguments, several at a time.
struct EachCommand: Command {
  static let name = "each"
  static let summary = "Run a command once for each argument, several at a time."
  static let usages = [
    "[OPTION]... COMMAND [WORD]... ::: ARGUMENT...",
    "[OPTION]... COMMAND [WORD]...",
  ]
  static let details = [
    """
    The arguments stand after ':::'; without it, each line of standard input is one, read when a job needs it. An empty line is \
    an empty argument, and a last line needs no line break. In the words of the command, '{}' stands for the argument; if it \
    stands nowhere, the argument comes last. No shell looks at any of it, and the jobs read nothing ('/dev/null').
    """,
    """
    What a job writes is printed in one piece when it ends; what does not fit into memory waits in TMPDIR, however much that is. With '--keep-order' \
    or a single job at a time, the job whose turn it is prints at once. Of a job that is tried again, only the last attempt's \
    output is printed. A job has ended when it and all that hold its output open have.
    """,
    """
    Standard error also gets a line for each failed job and a summary, and on a terminal a line that tells how far the jobs are. \
    With '--json', standard output gets a line for each job instead of what it writes, with the keys argument, command, status or \
    signal, timedOut, attempts, start (seconds since 1970), seconds, stdout, stderr, and truncated if one of these two was \
    longer than the mebibyte that is put in.
    """,
    """
    A job that has to end, as its time is up, another one failed, or after Ctrl-C, is ended with all that it has started: by \
    SIGTERM, and two seconds later by SIGKILL. Nothing of it is left when the tool exits. Jobs are in process groups of their own: \
    the system stops one that asks something at the terminal, and Ctrl-Z stops the tool alone.
    """,
  ]

  private static let jobs = Option(
    letter: "j", "jobs", value: .number("N", as: "4"), "How many jobs run at once; as many as there are cores.")
  private static let null = Option(letter: "0", "null", "A NUL character, no line break, ends each argument read.")
  private static let keepOrder = Option(
    letter: "k", "keep-order", "Print in the order of the arguments, not as jobs end.")
  private static let keepGoing = Option("keep-going", "Run all jobs, also if some fail; the default.")
  private static let failFast = Option(
    "fail-fast", "End at the first failure: begin no more jobs, and end those that run.")
  private static let retries = Option(
    letter: "r", "retries", value: .number("N", as: "3"),
    "Try a failed job again, up to N times; after a tenth of a second at first, then after twice as long each time, up to ten."
  )
  private static let timeout = Option(
    letter: "t", "timeout", value: .number("SECONDS", as: "30"),
    "End an attempt that takes longer, its wait for a reader included; it has failed.")
  private static let dryRun = Option(
    letter: "n", "dry-run", "Print the commands as a shell would need them, and run nothing.")
  private static let json = Option("json", "Print what came of each job as a line of JSON.")
  private static let quiet = Option(letter: "q", "quiet", "No progress and no summary; failures are told still.")
  static let options = [jobs, null, keepOrder, keepGoing, failFast, retries, timeout, dryRun, json, quiet]
  static let operands = Operands.command

  static let examples = [
    (command: "taskig-demo each gzip -9 ::: *.log", meaning: "Compress files, one for each core at a time."),
    (
      command: "find . -name '*.png' -print0 | taskig-demo each -0 -k identify",
      meaning: "Look at files whatever their names, and print in their order."
    ),
    (
      command: "taskig-demo each -j 4 -r 3 -t 30 curl -fsSO < addresses.txt",
      meaning: "Fetch four addresses at a time, and try those again that fail or hang."
    ),
    (
      command: "taskig-demo each --json sh -c 'wc -l < \"$1\"' sh ::: *.txt",
      meaning: "Get results for other programs to read; what needs a shell gets one."
    ),
  ]
  static let statuses = [
    (status: "0", meaning: "All jobs succeeded, or there were none."),
    (status: "1-100", meaning: "So many jobs failed; those that '--fail-fast' ended do not count."),
    (status: "101", meaning: "More than 100 jobs failed."),
    (status: "126", meaning: "The command cannot be run. If it has '{}' in it, that is a failed job."),
    (status: "127", meaning: "The command is not there. If it has '{}' in it, that is a failed job."),
    (status: "128 + N", meaning: "Signal N ended it: 129 if the terminal was closed, 130 for Ctrl-C, 143 for SIGTERM."),
    (status: "255", meaning: "The command line is wrong, or an argument or the output had an error."),
  ]
  static let otherError = ExitStatus(255)
  static let errorStatus: ExitStatus? = otherError

  /// How many failed jobs the exit status can tell.
  static let mostCounted = 100
  /// The pauses before a job is tried again.
  static let firstPause = Duration.milliseconds(100)
  static let longestPause = Duration.seconds(10)
  private static let separator = ":::"

  private let plan: EachPlan

  init(_ arguments: Arguments) throws {
    let parts = arguments.operands.split(separator: Self.separator, omittingEmptySubsequences: false)
    guard let template = CommandTemplate(Array(parts[0])) else {
      throw CommandError.usage(
        "There is no command to run. Put one before the arguments, as in 'each wc -l ::: *.txt'.")
    }
    guard parts.count <= 2 else {
      throw CommandError.usage(
        "There are several ':::'. Put all arguments after one, or one on each line of standard input.")
    }
    guard parts.count == 1 || !arguments.has(Self.null) else {
      throw CommandError.usage("'--null' is for arguments from standard input. Leave it or ':::' away.")
    }
    guard !arguments.has(Self.failFast) || !arguments.has(Self.keepGoing) else {
      throw CommandError.usage("'--fail-fast' and '--keep-going' contradict each other. Leave one away.")
    }
    guard !arguments.has(Self.dryRun) || !arguments.has(Self.json) else {
      throw CommandError.usage("'--dry-run' has no results that '--json' could print. Leave one away.")
    }
    var plan = EachPlan(
      template: template,
      arguments: parts.count > 1 ? .list(Array(parts[1])) : .input(endedByNUL: arguments.has(Self.null)))
    if let jobs = try arguments.number(Self.jobs, in: 1...1_000) { plan.jobs = jobs }
    plan.keepsOrder = arguments.has(Self.keepOrder)
    plan.failsFast = arguments.has(Self.failFast)
    plan.retries = try arguments.number(Self.retries, in: 0...1_000) ?? 0
    plan.timeout = try arguments.seconds(Self.timeout)
    plan.isDry = arguments.has(Self.dryRun)
    plan.writesJSON = arguments.has(Self.json)
    plan.isQuiet = arguments.has(Self.quiet)
    self.plan = plan
  }

  func run(on page: Page) throws -> ExitStatus {
    if plan.isDry { return try printCommands() }
    // One that is ignored, as some that start programs leave it, would keep from us how the jobs end.
    signal(SIGCHLD, SIG_DFL)
    var plan = plan
    if plan.jobs > EachPlan.mostJobs {
      plan.jobs = EachPlan.mostJobs
      try Output.standardError.write(
        "\(DemoTool.name): Only \(plan.jobs.of("job")) run at once, as only \(EachPlan.openFiles) files may be open. "
          + "Raise that with 'ulimit -n'.\n")
    }
    return try EachRun(plan, past: LiveLines(on: Terminal(of: .standardError), isOn: showsProgress)).run()
  }

  /// Progress would wipe away what somebody is typing.
  private var showsProgress: Bool {
    if case .input = plan.arguments, isatty(STDIN_FILENO) == 1 { return false }
    return !plan.isQuiet
  }

  private func printCommands() throws -> ExitStatus {
    let source = ArgumentSource(plan.arguments)
    while let (_, argument) = try source.next() {
      try Output.standard.write("\(plan.template.command(for: argument))\n")
    }
    return .success
  }
}
