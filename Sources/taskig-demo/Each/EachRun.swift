import Foundation
import Taskig

/// All jobs of a command line, from the first argument to the exit status.
final class EachRun: Sendable {
  private let plan: EachPlan
  private let source: ArgumentSource
  private let printer: JobPrinter
  private let turns: Turns
  private let store = SpoolStore()
  private let progress: EachProgress
  /// Why not all can be done, where that lies not in the jobs themselves.
  private let problem = Guarded<(any Error)?>(nil)
  /// What all jobs are a part of.
  private let whole = Guarded<ThrowableTask<Void>?>(nil)

  init(_ plan: EachPlan, past live: LiveLines) {
    self.plan = plan
    source = ArgumentSource(plan.arguments)
    printer = JobPrinter(past: live)
    turns = Turns(isOrdered: plan.printsInOrder, streams: plan.streams)
    progress = EachProgress(of: source.total, on: live, through: printer)
  }

  /// Runs the jobs, and returns when the last child is gone.
  func run() throws -> ExitStatus {
    // All the while: a second signal would otherwise leave behind what the first one has begun to end.
    let watch = SignalWatch(SIGINT, SIGTERM, SIGHUP, SIGQUIT)
    defer {
      store.remove()
      watch.stop()
    }
    let drawing = progress.drawing().start()
    let outcome = Result { try Task.cancelling(on: SIGINT, SIGTERM, SIGHUP, SIGQUIT) { try runJobs() } }
    ChildProcess.endOfCancelled.await()
    drawing.cancel()
    progress.end()
    if case .failure(let signal as CancelledBySignal) = outcome {
      // Whoever calls it off does not want to wait for one who does not read.
      if Output.standardError.takesMore { summarize() }
      throw signal
    }
    switch problem.current {
    case let unusable as JobRun.CommandUnusable:
      try Output.standardError.write("\(DemoTool.name): \(unusable.reason)\n")
      return ExitStatus(unusable.status)
    case let error?:
      throw error
    case nil:
      summarize()
      return ExitStatus(Int32(min(progress.failed, EachCommand.mostCounted + 1)))
    }
  }

  private func runJobs() throws {
    let jobs = ThrowableTask { [self] in
      workers.awaitAll(concurrency: plan.jobs)
      try Task.checkCancellation()
    }.named("all jobs")
    whole.withLock { $0 = jobs }
    try ThrowableTask { [self] in
      // Neither reading nor writing heeds a cancellation where it waits for others.
      Task.onCancel { [self] in
        source.close()
        printer.close()
      }
      try jobs.await()
    }.named("each").await()
  }

  /// What does the jobs: each takes the next argument when it is done with the one before.
  private var workers: [Task<Void>] {
    (0..<min(plan.jobs, source.total ?? .max)).map { index in
      Task { [self] in
        do {
          while let (number, argument) = nextArgument() { try work(on: argument, number) }
        } catch {
          abandon(for: error)
        }
      }.named("worker \(index + 1)")
    }
  }

  private func nextArgument() -> (number: Int, argument: String)? {
    do {
      return try source.next()
    } catch {
      halt(for: error)
      return nil
    }
  }

  private func work(on argument: String, _ number: Int) throws {
    let output = JobOutput(number: number, limit: plan.mostOfStream, in: store, for: printer)
    let job = JobRun(
      argument: argument, plan: plan, output: output, onTrouble: { [self] in abandon(for: $0) },
      onRetry: { [self] in noteRetry($0) })
    progress.noteBegin()
    let result = Result {
      try turns.begin(output)
      return try job.run()
    }
    if case .failure(let error) = result {
      output.drop()
      if error is JobRun.CommandUnusable { halt(for: error) }
    }
    // Others may wait for it to pass.
    try turns.end(output)
    guard case .success(let ending) = result else {
      if case .failure(let error) = result, !(error is JobRun.CommandUnusable) { throw error }
      return
    }
    progress.noteEnd(isSuccess: ending.isSuccess)
    if plan.failsFast, !ending.isSuccess { stop() }
  }

  private func noteRetry(_ notice: String) {
    progress.noteRetry()
    do { try printer.write(Data("\(notice)\n".utf8), to: .errors) } catch { abandon(for: error) }
  }

  /// Begins no more jobs, as they could not run.
  private func halt(for error: any Error) {
    if error is CancellableTaskError { return }
    problem.withLock { $0 = $0 ?? error }
    source.close()
  }

  /// Begins no more jobs, and ends those that run.
  private func stop() {
    source.close()
    whole.current?.cancel()
  }

  /// Ends everything, as what jobs write goes nowhere.
  private func abandon(for error: any Error) {
    if error is CancellableTaskError { return }
    problem.withLock { $0 = $0 ?? error }
    printer.close()
    stop()
  }

  private func summarize() {
    // That it could not be told changes nothing about what was done.
    if !plan.isQuiet { try? Output.standardError.write("\(DemoTool.name): \(progress.summary)\n") }
  }
}
