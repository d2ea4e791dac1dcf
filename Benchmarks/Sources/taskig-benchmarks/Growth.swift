import Taskig

/// What must not grow: the cost of a level as awaits nest, and of a task as collections get large.
func printGrowth() {
  print("\nHow cost grows, nanoseconds each")
  for levels in [100, 1_000, 10_000, 100_000] {
    print("  await nested \(levels) deep: \(best(of: 5, each: levels) { consume(nest(levels)) }) a level")
  }
  for count in [100, 10_000, 1_000_000] {
    let cost = best(of: 5, each: count) { consume((0..<count).map { i in Task { i &+ 1 } }.awaitAll()) }
    print("  awaitAll of \(count): \(cost) a task")
  }
}

@Sendable private func nest(_ level: Int) -> Int {
  level == 0 ? 0 : Task { nest(level - 1) }.await() &+ 1
}

private func best(of rounds: Int, each count: Int, _ body: @escaping () -> Void) -> Int {
  var contestant = Contestant("", repetitions: 1) { _ in body() }
  for _ in 0..<rounds { contestant.round() }
  return Int((contestant.figures.min() ?? 0) / Double(count))
}
