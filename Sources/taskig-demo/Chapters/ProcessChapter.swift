import Foundation
import Taskig

/// Other programs as tasks: each awaited for what it writes and how it ends.
struct ProcessChapter: Chapter {
  let title = "Child processes"

  func run(on stage: Stage) throws {
    stage.say(
      "A ChildProcess is a task that runs another program. No thread waits while a child runs.")
    try speak(on: stage)
    try flood(on: stage)
    try sleepTogether(on: stage)
    fail(on: stage)
  }

  private func speak(on stage: Stage) throws {
    let shell = shell("echo to you; echo to me >&2; exit 3", stage)
    let (child, time) = try stage.measure { try shell.await() }
    stage.report("A shell wrote to both its streams and exited", time)
    stage.check("it ended with", child.ending, is: .exit(3))
    stage.check("standard output", child.text, is: "to you")
    stage.check("standard error", child.errorText, is: "to me")
  }

  /// A pipe holds 64 KiB or less; a child that writes more stands still unless both are read while it runs.
  private func flood(on stage: Stage) throws {
    let line = String(repeating: "x", count: 127)
    let loop = "i=0; while [ $i -lt 2048 ]; do echo \(line); echo \(line) >&2; i=$((i+1)); done"
    let (child, time) = try stage.measure { try shell(loop, stage).await() }
    stage.report("A shell wrote more to both streams than a pipe can hold", time)
    stage.check("bytes on standard output", child.output.count, is: 128 * 2_048)
    stage.check("bytes on standard error", child.errorOutput.count, is: 128 * 2_048)
  }

  private func sleepTogether(on stage: Stage) throws {
    let sleepers = (1...4).map { shell("sleep 0.2; echo \($0)", stage) }
    let (children, time) = try stage.measure { try sleepers.awaitAll(concurrency: 4) }
    stage.report("Four shells slept for 0.2 s each, at once", time)
    stage.check("their answers, in order", children.map(\.text), is: ["1", "2", "3", "4"])
    stage.check("all four", time, isUnder: .milliseconds(780))
  }

  private func fail(on stage: Stage) {
    let (killed, time) = stage.measure { shell("kill -9 $$", stage).awaitResult() }
    stage.report("A shell killed itself", time)
    stage.check("it ended with", (try? killed.get())?.ending, is: .signal(9))
    let (missing, otherTime) = stage.measure { ChildProcess("/no/such/program").awaitResult() }
    stage.report("A program that is not there was started", otherTime)
    stage.check("an error came instead of output", (try? missing.get()) == nil, is: true)
  }

  private func shell(_ script: String, _ stage: Stage) -> InFlight<ChildProcess> {
    InFlight(label: "sh", inside: ChildProcess("/bin/sh", "-c", script).acceptingAnyEnding(), stage: stage)
  }
}
