import Foundation
import Taskig

let greeting = try ChildProcess("echo", "hello").await()
print(greeting.text)

let sort = ChildProcess("sort", "-r").takingInput(from: .text("a\nb\n")).addingEnvironment(["LC_ALL": "C"])
print(try sort.await().lines)

// 1 is how grep says that there is none.
let search = ChildProcess("grep", "needle").takingInput(from: .text("hay\n")).accepting(0, 1)
print(try search.await().lines.count)

do {
  try ChildProcess("sh", "-c", "echo half; echo 'it is broken' >&2; exit 3").await()
} catch ChildProcessError.failed(_, let output) {
  print(output.ending, "-", output.errorTail, "-", output.text)
}

do {
  try ChildProcess("no-such-program").await()
} catch ChildProcessError.notFound(let program, _) {
  print("There is no", program)
}

// Each line is heard while the child goes on; the await returns after the last.
try ChildProcess("sh", "-c", "echo one; echo two")
  .hearingOutput { line in print("heard", line) }
  .await()

// One piece at a time: what the child writes is never held as a whole.
try ChildProcess("printf", #"a\0b"#).sendingOutput(to: .bytes { print("heard", $0.count, "bytes") }).await()

// The shell's children end with it, whatever they are at.
let slow = ChildProcess("sh", "-c", "sleep 60 & sleep 60 & wait")
do {
  try slow.await(timeout: .milliseconds(50))
} catch TaskigError.timedOut {
  print("not done in time, and ended")
}

let napping = ChildProcess("sleep", "60").withGrace(.milliseconds(500))
do {
  try napping.await(timeout: .milliseconds(50))
} catch TaskigError.timedOut {
  ChildProcess.endOfCancelled.await()
  print("it sleeps no more")
}

// Four at a time, and no thread for any of them.
let answers = try (1...8).map { ChildProcess("echo", "\($0)") }.awaitAll(concurrency: 4)
print(answers.map(\.text))

// What stays behind must let go of the child's streams.
let started = try ChildProcess("sh", "-c", "sleep 0.3 >/dev/null 2>&1 & echo started").await()
print(started.text, started.isComplete)
