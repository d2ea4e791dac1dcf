import Dispatch

/// Notes what happened, in order, from any thread.
final class Steps<Step: Sendable>: Sendable {
  private let queue = DispatchQueue(label: "steps")
  private let steps = Box<[Step]>([])

  var all: [Step] { queue.sync { steps.value } }

  func note(_ step: Step) {
    queue.sync { steps.value.append(step) }
  }
}
