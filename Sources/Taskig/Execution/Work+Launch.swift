import Dispatch
import Foundation

extension Work {
  /// Starts the action on its queue, `seconds` from now, and returns at once; `receiver` gets the outcome.
  func launch(after seconds: TimeInterval, at site: CallSite, _ receiver: @escaping (Outcome) -> Void) {
    let completion = Completion<Outcome> { outcome in receiver(outcome ?? lost(at: site)) }
    launch(after: seconds, at: site, completion)
  }

  /// Starts the action on its queue, `seconds` from now, and returns at once; nobody asks for the outcome.
  func launch(after seconds: TimeInterval, at site: CallSite) {
    // Nobody waits, so nobody can wait in vain: an action that drops its completion is no fault here.
    launch(after: seconds, at: site, Completion<Outcome> { _ in })
  }

  private func launch(after seconds: TimeInterval, at site: CallSite, _ completion: Completion<Outcome>) {
    let lane = queue === DispatchQueue.taskDefault ? nil : Lane.of(queue)
    let job = job(on: lane, for: nil, completion)
    let transfer = UncheckedTransfer(queue)
    Delay.run(
      after: seconds, at: site,
      { if lane == nil { Workers.shared.submit(job) } else { Line.post(job, to: transfer.value) } },
      orNever: completion.abandon)
  }
}
