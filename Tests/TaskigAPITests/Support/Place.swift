import Dispatch
import Taskig

/// Where a task is told to run.
enum Place: CaseIterable {
  /// The task names no queue.
  case anywhere
  case serial
  case concurrent
  /// A serial queue that targets another one.
  case targeting
  case main
}

/// A queue that knows whether the calling thread is on it.
struct MarkedQueue: Sendable {
  let queue: DispatchQueue

  private static let key = DispatchSpecificKey<String>()
  private let mark: String

  init?(_ place: Place) {
    switch place {
    case .anywhere: return nil
    case .serial: queue = DispatchQueue(label: "tests.serial")
    case .concurrent: queue = DispatchQueue(label: "tests.concurrent", attributes: .concurrent)
    case .targeting: queue = DispatchQueue(label: "tests.targeting", target: DispatchQueue(label: "tests.target"))
    case .main: queue = .main
    }
    mark = queue.label
    queue.setSpecific(key: Self.key, value: mark)
  }

  var isCurrent: Bool {
    guard DispatchQueue.getSpecific(key: Self.key) == mark else { return false }
    // It stops the program if it is wrong, so it is asked only when it should be right.
    dispatchPrecondition(condition: .onQueue(queue))
    return true
  }
}
