import Taskig
import Testing

/// One kind of task, run in one way.
struct Trial: Sendable, CustomTestStringConvertible {
  /// A task whose type the compiler has lost sight of, so that it is run generically in release builds too.
  typealias Plain = any TaskType & SendableMetatype
  typealias Throwing = any ThrowableTaskType & SendableMetatype

  let testDescription: String

  /// What the task must end with.
  let ending: String

  /// How often one call may run the action.
  let runs: ClosedRange<Int>

  private let body: @Sendable () -> Report

  private init<T>(
    _ name: String, _ place: Place, _ ending: String, _ way: Way,
    _ make: @escaping @Sendable (Probe) -> T, _ call: @escaping @Sendable (T) -> [String]
  ) {
    testDescription = "\(name), \(place), \(way.name)"
    self.ending = ending
    runs = way.runs
    body = {
      let probe = Probe(place)
      let task = make(probe)
      let atMaking = probe.runs
      let first = call(task)
      let afterFirst = probe.runs
      let second = call(task)
      return Report(runs: [atMaking, afterFirst, probe.runs], strays: probe.strays, endings: first + second)
    }
  }

  /// Makes a task, runs it twice, and returns what was seen.
  func perform() async throws -> Report {
    try await withDeadline(testDescription, body)
  }

  /// A plain task in all ways.
  static func plain(
    _ name: String, _ place: Place = .anywhere, ending: String, make: @escaping @Sendable (Probe) -> Plain
  ) -> [Trial] {
    PlainWay.allCases.map { way in Trial(name, place, ending, way, make) { (task: Plain) in way.call(task) } }
  }

  /// A throwing task in all ways.
  static func throwing(
    _ name: String, _ place: Place = .anywhere, ending: String, make: @escaping @Sendable (Probe) -> Throwing
  ) -> [Trial] {
    ThrowingWay.allCases.map { way in Trial(name, place, ending, way, make) { (task: Throwing) in way.call(task) } }
  }
}

/// What was seen of a task that was made and then run twice in the same way.
struct Report: Sendable {
  /// How often the action had run when the task was made, after the first call, and after the second.
  let runs: [Int]

  /// How often the action ran elsewhere than on its queue.
  let strays: Int

  /// What the calls ended with.
  let endings: [String]
}
