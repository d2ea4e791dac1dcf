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

extension Steps {
  func note(contentsOf steps: [Step]) {
    for step in steps { note(step) }
  }
}
