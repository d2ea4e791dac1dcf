import Dispatch

/// One way to do a piece of work, measured.
struct Contestant {
  let name: String
  /// Nanoseconds for one piece of work, a figure for each round.
  private(set) var figures: [Double] = []
  private let repetitions: Int
  private let run: (Int) -> Void

  /// A contestant whose `run` does the work as often as it is told, `repetitions` times a round.
  init(_ name: String, repetitions: Int, _ run: @escaping (Int) -> Void) {
    self.name = name
    self.repetitions = repetitions
    self.run = run
  }

  var median: Double { figures.sorted()[figures.count / 2] }

  mutating func round() {
    let start = DispatchTime.now().uptimeNanoseconds
    run(repetitions)
    figures.append(Double(DispatchTime.now().uptimeNanoseconds - start) / Double(repetitions))
  }
}

/// A row of the speed table: contestants that run in turn, so that a change in the machine's speed meets them all.
struct Row {
  let title: String
  private var contestants: [Contestant]
  private let targets: [Target]

  /// How the first contestant compares with another.
  struct Target {
    /// The other one's name; `nil` if it is about no other.
    let other: String?
    let text: String
    let isMet: (_ ours: Double, _ theirs: Double) -> Bool

    static func under(nanoseconds: Double) -> Target {
      Target(other: nil, text: "under \(Int(nanoseconds)) ns") { ours, _ in ours < nanoseconds }
    }

    static func atMost(_ factor: Double, of other: String) -> Target {
      Target(other: other, text: "at most \(factor) of") { $0 <= factor * $1 }
    }

    static func timesFaster(_ factor: Double, than other: String) -> Target {
      Target(other: other, text: "\(factor) times faster than") { $0 * factor <= $1 }
    }
  }

  init(_ title: String, _ contestants: [Contestant], _ targets: [Target]) {
    self.title = title
    self.contestants = contestants
    self.targets = targets
  }

  /// Runs `rounds` rounds after one to warm up, prints the row, and returns whether all targets were met.
  mutating func measure(rounds: Int) -> Bool {
    for index in contestants.indices {
      var warmUp = contestants[index]
      warmUp.round()
    }
    for _ in 0..<rounds {
      for index in contestants.indices { contestants[index].round() }
    }
    print(title)
    let ours = contestants[0].median
    for contestant in contestants {
      let ratio = contestant.median / ours
      print("  \(pad(contestant.name, 44)) \(pad(duration(contestant.median), -10))  \(pad(number(ratio), -8))x")
    }
    var allMet = true
    for target in targets {
      guard let other = contestants.first(where: { $0.name == target.other ?? contestants[0].name }) else { continue }
      let isMet = target.isMet(ours, other.median)
      allMet = allMet && isMet
      print("  \(isMet ? "met   " : "MISSED") \(target.text) \(target.other ?? "")")
    }
    return allMet
  }
}

private func number(_ value: Double) -> String {
  let rounded = (value * 100).rounded() / 100
  return "\(rounded)"
}

private func duration(_ nanoseconds: Double) -> String {
  switch nanoseconds {
  case ..<10_000: "\(Int(nanoseconds)) ns"
  case ..<10_000_000: "\(number(nanoseconds / 1000)) us"
  default: "\(number(nanoseconds / 1_000_000)) ms"
  }
}

/// Pads on the right, or on the left for a negative width.
private func pad(_ text: String, _ width: Int) -> String {
  let fill = String(repeating: " ", count: max(0, abs(width) - text.count))
  return width < 0 ? fill + text : text + fill
}
