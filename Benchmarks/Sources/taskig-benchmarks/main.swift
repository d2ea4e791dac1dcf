// Prints our figure, the raw Dispatch figure and Swift concurrency's for each row of the speed table, measured side by side.
//
//     swift run -c release --package-path Benchmarks taskig-benchmarks [ROUNDS]
//
// Each figure is the median of ROUNDS rounds (7 unless you say otherwise); the factor is theirs divided by ours. It exits 1
// if a target is missed.
import Foundation

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 7
guard rounds >= 1 else {
  FileHandle.standardError.write(Data("ROUNDS must be 1 or more.\n".utf8))
  exit(64)
}

// On a thread of its own: the main thread holds the main queue, which costs some of the contestants more than others.
nonisolated(unsafe) var allMet = true  // because only the measuring thread writes it, and main reads it after the end.
let done = DispatchSemaphore(value: 0)
Thread {
  // First, while no threads are left over from other work.
  printThreads()
  for var row in awaitRows() + collectionRows() + futureRows() + bridgeRows() {
    allMet = row.measure(rounds: rounds) && allMet
  }
  printGrowth()
  done.signal()
}.start()
done.wait()
exit(allMet ? 0 : 1)
