import Dispatch
import Taskig

/// Very many bodies that block: each gets a thread at once, where a pool would make most of them wait.
struct CrowdChapter: Chapter {
  let title = "A crowd that blocks"

  private static let size = 200

  func run(on stage: Stage) throws {
    stage.say("\(Self.size) bodies block until all have started: in a smaller pool none would ever end.")
    let (gate, departures) = (Gate(), Headcount())
    let (arrived, time) = stage.measure {
      for _ in 0..<Self.size {
        Task.async {
          stage.work("body") { gate.pass() }
          departures.note()
        }
      }
      return gate.arrivals.count(to: Self.size, within: .seconds(5))
    }
    stage.report("Task.async { }, \(Self.size) times: \(arrived) had started", time)
    stage.check("started before any had ended", arrived, is: Self.size)
    gate.open()
    let departed = departures.count(to: Self.size, within: .seconds(5))
    stage.check("ended when they were let go", departed, is: Self.size)

    let otherGate = Gate()
    let (others, otherTime) = stage.measure {
      for _ in 0..<Self.size { DispatchQueue.global().async { otherGate.pass() } }
      return otherGate.arrivals.count(to: Self.size, within: .milliseconds(150))
    }
    otherGate.open()
    stage.report("DispatchQueue.global().async { }, \(Self.size) times: \(others) had started", otherTime)
    stage.say("A pool is for work that computes. For threads that block it brings others late, if at all.")
  }
}

/// A gate where threads gather until it opens.
private struct Gate: Sendable {
  let arrivals = Headcount()
  private let opening = DispatchSemaphore(value: 0)

  /// Waits until the gate is open.
  func pass() {
    arrivals.note()
    opening.wait()
    // It stays open for the next one.
    opening.signal()
  }

  func open() {
    opening.signal()
  }
}

/// How many have come, for somebody who waits for them.
private struct Headcount: Sendable {
  private let comers = DispatchSemaphore(value: 0)

  func note() {
    comers.signal()
  }

  /// Waits until so many have come, or the time is over, and returns how many came.
  func count(to expected: Int, within limit: DispatchTimeInterval) -> Int {
    let deadline = DispatchTime.now() + limit
    var count = 0
    while count < expected, comers.wait(timeout: deadline) == .success { count += 1 }
    return count
  }
}
