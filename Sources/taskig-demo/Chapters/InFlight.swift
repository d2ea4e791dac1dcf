import Dispatch
import Taskig

/// A task that notes in the timeline for how long the task inside of it was in flight, holding no thread.
struct InFlight<Inside: ThrowableTaskType>: ThrowableTaskType {
  let label: String
  let inside: Inside
  let stage: Stage

  var executionQueue: DispatchQueue { inside.executionQueue }

  func action(completion: @escaping @Sendable (TaskResult<Inside.ResultType>) -> Void) {
    let (start, label, stage) = (stage.timeline.now, label, stage)
    inside.action { result in
      stage.timeline.note(stage.chapter, label, from: start, holdsThread: false)
      completion(result)
    }
  }
}
