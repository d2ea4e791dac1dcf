import Dispatch
import Taskig

/// What a task's action reports to: how often it ran, and whether on the task's queue.
final class Probe: Sendable {
  private let place: MarkedQueue?
  private let counts = Shared((runs: 0, strays: 0))

  init(_ place: Place = .anywhere) {
    self.place = MarkedQueue(place)
  }

  /// The queue for the task to name.
  var queue: DispatchQueue { place?.queue ?? .taskDefault }

  /// How often the action ran.
  var runs: Int { counts.current.runs }

  /// How often it ran elsewhere than on its queue.
  var strays: Int { counts.current.strays }

  /// To be called first in the action.
  func actionRuns() {
    let isStray = !(place?.isCurrent ?? true)
    counts.withLock {
      $0.runs += 1
      $0.strays += isStray ? 1 : 0
    }
  }
}
