import Taskig

/// Has the ways of a contest take turns, and takes their times.
struct Referee: Sendable {
  let rounds: Int
  /// How long a round of one contestant takes at least, so that the clock does not matter.
  let least: Duration

  /// How often a contestant does its work in a round, and what that took each time.
  private struct Lane {
    let contestant: Contest.Contestant
    let repetitions: Int
    var times: [Duration] = []
  }

  /// Measures the contest; `onRound` is told the number of each round before it.
  ///
  /// - Throws: A `CommandError` if a result is wrong; the error of a cancelled task, between the turns, if the run is called off.
  func measure(_ contest: Contest, onRound: (Int) -> Void) throws -> BenchRow {
    onRound(0)
    var lanes = try contest.contestants.map { Lane(contestant: $0, repetitions: try repetitions(of: $0, in: contest)) }
    for round in 1...rounds {
      onRound(round)
      // What changes the machine's speed meanwhile meets all of them, and nobody comes after the same one every time.
      for index in round.isMultiple(of: 2) ? Array(lanes.indices) : lanes.indices.reversed() {
        let lane = lanes[index]
        lanes[index].times.append(try time(lane.contestant, lane.repetitions, in: contest))
      }
    }
    return BenchRow(contest, rounds: rounds) { party in
      lanes.first { $0.contestant.party == party }.map { lane in
        let median = lane.times.sorted()[lane.times.count / 2]
        return median.seconds * 1e9 / Double(lane.repetitions * contest.parts)
      }
    }
  }

  /// Warms the contestant up, and finds out how often it does its work in the least time.
  private func repetitions(of contestant: Contest.Contestant, in contest: Contest) throws -> Int {
    var count = 1
    while true {
      // The shorter of two, as one that is held up once, such as the very first, says nothing of the next.
      let time = min(try time(contestant, count, in: contest), try time(contestant, count, in: contest))
      if time >= least { return count }
      // By steps, as the first times are those of a cold cache.
      count *= Int(min(20, max(2, least / time)))
    }
  }

  private func time(_ contestant: Contest.Contestant, _ count: Int, in contest: Contest) throws -> Duration {
    try Task.checkCancellation()
    var sum = 0
    let time = ContinuousClock().measure { sum = contestant.work(count) }
    guard sum == contest.sum * count else {
      throw CommandError(
        "\(contestant.party.rawValue)'s '\(contestant.way)' is wrong: \(sum) in place of \(contest.sum * count). "
          + "Its times mean nothing; please report it.", status: .failure)
    }
    return time
  }
}
