/// What came of a contest: the median times in nanoseconds, and how many times Taskig's time the others take.
struct BenchRow: Encodable {
  let name: String
  let work: String
  let unit = "ns"
  let taskig: Double?
  let dispatch: Double?
  let swiftConcurrency: Double?
  let dispatchRatio: Double?
  let swiftConcurrencyRatio: Double?
  let rounds: Int

  init(_ contest: Contest, rounds: Int, median: (Contest.Party) -> Double?) {
    (name, work, self.rounds) = (contest.name, contest.title, rounds)
    let ours = median(.taskig)
    func ratio(_ theirs: Double?) -> Double? {
      guard let ours, let theirs else { return nil }
      return theirs / ours
    }
    (taskig, dispatch, swiftConcurrency) = (ours, median(.dispatch), median(.swiftConcurrency))
    dispatchRatio = ratio(dispatch)
    swiftConcurrencyRatio = ratio(swiftConcurrency)
  }
}
