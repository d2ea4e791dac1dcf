import Foundation
import Taskig

/// The same question put to several replicas; the first answer is enough.
struct RaceChapter: Chapter {
  let title = "The first answer wins"

  private struct Replica {
    let name: String
    let latency: Duration
  }

  private static let fastest: Duration = .milliseconds(40)
  private static let second: Duration = .milliseconds(700)

  func run(on stage: Stage) throws {
    stage.say("Three replicas answer the same question after 40, 700 and 900 ms; each is the fastest once.")
    let latencies = [Self.fastest, Self.second, .milliseconds(900)]
    for winner in 0..<3 {
      let replicas = ["A", "B", "C"].enumerated().map { index, name in
        Replica(name: name, latency: latencies[(index - winner + 3) % 3])
      }
      let race = Race(replicas, stage)
      let (answer, time) = stage.measure { race.run() }
      stage.report("Asked A, B and C at once; \(answer) answered first", time)
      stage.check("the winner", answer, is: replicas[winner].name)
      stage.check("the answer came before the second fastest could", time, isUnder: Self.second)
    }
  }

  /// One race; the losers hear that it is over and give up.
  private struct Race {
    private let runners: [Task<String>]
    private let isOver = Guarded(false)

    init(_ replicas: [Replica], _ stage: Stage) {
      runners = replicas.map { [isOver] replica in
        Task {
          stage.work("replica") {
            let end = ContinuousClock.now + replica.latency
            while ContinuousClock.now < end, !isOver.current { Thread.sleep(forTimeInterval: 0.002) }
            return replica.name
          }
        }
      }
    }

    func run() -> String {
      defer { isOver.withLock { $0 = true } }
      return runners.awaitFirst()
    }
  }
}
