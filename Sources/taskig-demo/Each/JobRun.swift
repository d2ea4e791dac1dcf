import Foundation
import Taskig

/// One job, from its first attempt to its last; it runs on the thread that calls it, which it blocks.
struct JobRun: Sendable {
  /// Why no job can run: the program that all have in common cannot be started.
  struct CommandUnusable: Error {
    let reason: String
    let status: Int32
  }

  /// How long a word the system takes, in bytes; Linux has the lowest limit.
  ///
  /// A longer one is the job's own fault, and no other's.
  private static let longestWord = 128 << 10

  /// How an attempt ended that another one follows.
  private struct AttemptFailed: Error {}

  let argument: String
  let plan: EachPlan
  let output: JobOutput
  /// Called with the reason why its output cannot be kept or printed.
  let onTrouble: @Sendable (any Error) -> Void
  /// Called with a line about an attempt that another one follows.
  let onRetry: @Sendable (String) -> Void

  /// Runs the job; when it returns, all that there is to print of it is in its output.
  func run() throws -> JobEnding {
    let command = plan.template.command(for: argument)
    let (start, beginning) = (Date(), ContinuousClock.now)
    let attempts = Guarded(0)
    let ending = try ending(of: command, counting: attempts)
    output.endAttempt()
    if ending.isSuccess && !plan.writesJSON { return ending }
    let report = JobReport(
      argument: argument, command: command, ending: ending, attempts: attempts.current, start: start,
      duration: .now - beginning)
    if plan.writesJSON {
      try output.replace { try JobRecord(report, output: $0, errors: $1, isTruncated: $2).line() }
    }
    if !ending.isSuccess { try output.appendLine(report.complaint) }
    return ending
  }

  private func ending(of command: ChildProcess, counting attempts: Guarded<Int>) throws -> JobEnding {
    guard plan.retries > 0 else {
      attempts.withLock { $0 = 1 }
      return try attempt(command)
    }
    let backoff = Backoff.exponential(from: EachCommand.firstPause, upTo: EachCommand.longestPause)
    return try ThrowableTask {
      let number = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      let ending = try attempt(command)
      guard ending.isWorthAnother, number <= plan.retries else { return ending }
      onRetry(JobReport.retryNotice(command, ending, attempt: number + 1, of: plan.retries + 1))
      throw AttemptFailed()
    }.retry(attempts: plan.retries + 1, backoff: backoff) { $0 is AttemptFailed }.await()
  }

  private func attempt(_ command: ChildProcess) throws -> JobEnding {
    let number = output.beginAttempt()
    let child = command.sendingOutput(to: destination(of: .output, number))
      .sendingErrorOutput(to: destination(of: .errors, number))
    do {
      guard let timeout = plan.timeout else { return JobEnding(try child.await().ending) }
      return JobEnding(try child.await(timeout: timeout).ending)
    } catch TaskigError.timedOut {
      output.endAttempt()
      // What comes next is not to run beside what is still being ended.
      ChildProcess.endOfCancelled.await()
      return .timedOut(plan.timeout ?? .zero)
    } catch let error as ChildProcessError {
      return try ending(of: error)
    }
  }

  private func ending(of error: ChildProcessError) throws -> JobEnding {
    let status: Int32 = if case .notFound = error { 127 } else { 126 }
    guard plan.template.variesProgram || argument.utf8.count >= Self.longestWord else {
      throw CommandUnusable(reason: "\(error)", status: status)
    }
    return .notStarted(reason: "\(error)", status: status)
  }

  private func destination(of stream: JobStream, _ attempt: Int) -> ChildProcessDestination {
    .bytes { [output, onTrouble] bytes in
      do { try output.append(bytes, to: stream, in: attempt) } catch { onTrouble(error) }
    }
  }
}
