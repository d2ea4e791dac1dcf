import Dispatch
import Foundation
import Synchronization
import Taskig

/// How many threads are used and how soon blocking work starts: counts beside the times.
func printThreads() {
  guard let before = threads() else { return print("Threads: this system does not tell") }
  print("Threads, beside the \(before) before, and starts")

  var most = Peak()
  var tasks = (0..<500).map { i in
    Task { [most] in
      Thread.sleep(forTimeInterval: 0.01)
      if i % 50 == 25 { most.note() }
    }
  }
  tasks.awaitAll(concurrency: 50)
  print("  500 blocking bodies, limit 50: \(most.value - before) more")
  // Idle workers end after some seconds; what comes next is counted without them.
  while let now = threads(), now > before + 2 { Thread.sleep(forTimeInterval: 0.1) }

  most = Peak()
  let timer = DispatchQueue(label: "timer")
  tasks = (0..<5_000).map { i in
    Task { [most] completion in
      timer.asyncAfter(deadline: .now() + .milliseconds(20)) {
        if i % 500 == 0 { most.note() }
        completion(())
      }
    }
  }
  tasks.awaitAll(concurrency: .max)
  print("  5,000 callback tasks in flight: \(most.value - before) more, on \(cores) cores")

  let starts: [(String, (@escaping @Sendable () -> Void) -> Void)] = [
    ("Task.async of a body that blocks 1 s", { Task.async(action: $0) }),
    ("such a body awaited from a thread", { body in Thread { Task(action: body).await() }.start() }),
    ("Task.async(executionQueue: .utility)", { Task.async(executionQueue: .utility, action: $0) }),
  ]
  for (title, launch) in starts {
    print("  200 x \(title): all started after \(startAll(launch))")
  }
  print("")
}

private let cores = ProcessInfo.processInfo.activeProcessorCount

/// The highest number of threads that has been noted.
private final class Peak: Sendable {
  private let highest = Atomic(0)

  var value: Int { highest.load(ordering: .relaxed) }

  func note() {
    highest.max(threads() ?? 0, ordering: .relaxed)
  }
}

private func threads() -> Int? {
  try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
}

private func startAll(_ launch: (@escaping @Sendable () -> Void) -> Void) -> String {
  let started = DispatchGroup()
  let begin = DispatchTime.now()
  for _ in 0..<200 {
    started.enter()
    launch {
      started.leave()
      Thread.sleep(forTimeInterval: 1)
    }
  }
  started.wait()
  return "\((DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1_000) us"
}
