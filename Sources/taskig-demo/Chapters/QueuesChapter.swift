import Dispatch
import Foundation
import Taskig

/// Tasks that name a queue run on it, in its order; and what would lock up elsewhere comes through.
struct QueuesChapter: Chapter {
  let title = "Queues"

  private static let key = DispatchSpecificKey<String>()

  func run(on stage: Stage) throws {
    let queue = DispatchQueue(label: "taskig-demo.serial")
    queue.setSpecific(key: Self.key, value: "mine")
    ownQueue(queue, on: stage)
    order(queue, on: stage)
    delay(on: stage)
    lending(queue, on: stage)
  }

  private func ownQueue(_ queue: DispatchQueue, on stage: Stage) {
    let place = Task(executionQueue: queue) {
      stage.work("ask") { DispatchQueue.getSpecific(key: Self.key) }
    }
    let (answer, time) = stage.measure { place.await() }
    stage.report("Awaited a task that names a serial queue and asks where it is", time)
    stage.check("its queue's key", answer, is: "mine")
    stage.check("here, outside of the task", DispatchQueue.getSpecific(key: Self.key), is: nil)
  }

  private func order(_ queue: DispatchQueue, on stage: Stage) {
    let numbers = Guarded<[Int]>([])
    let (_, time) = stage.measure {
      for number in 1...20 {
        // Later ones are quicker, and would overtake if they could.
        Task.async(executionQueue: queue) {
          stage.work("step") { Thread.sleep(forTimeInterval: Double(21 - number) / 10_000) }
          numbers.withLock { $0.append(number) }
        }
      }
      Task(executionQueue: queue) {}.await()
    }
    stage.report("Started 20 tasks on it with async, and awaited one behind them", time)
    stage.check("they ran in order", numbers.current == Array(1...20), is: true)
  }

  /// `async` does not wait; a task that is made from a completion turns it into something to await.
  private func delay(on stage: Stage) {
    let late = Task { stage.work("late") { "late" } }
    let (value, time) = stage.measure {
      Task<String> { completion in late.async(delayBy: 0.1) { completion($0) } }.await()
    }
    stage.report("Started a task with async(delayBy: 0.1), and waited for its completion", time)
    stage.check("the value", value, is: "late")
    stage.check("it came no sooner than after 100 ms", time >= .milliseconds(100), is: true)
  }

  private func lending(_ queue: DispatchQueue, on stage: Stage) {
    let nested = Task(executionQueue: queue) {
      Task { Task(executionQueue: queue) { stage.work("inner") { 21 } }.await() * 2 }.await()
    }
    let (answer, time) = stage.measure { nested.await() }
    stage.report("A task on the serial queue awaited another one on the same queue", time)
    stage.check("the answer, where a deadlock might be expected", answer, is: 42)

    let roundTrip = Task(executionQueue: .utility) {
      Task(executionQueue: .main) { stage.work("main") { Thread.isMainThread } }.await()
    }
    let (isMain, mainTime) = stage.measure { roundTrip.await() }
    stage.report("The main thread awaited a task that awaited one on the main queue", mainTime)
    stage.check("the main thread ran it while it waited", isMain, is: true)
  }
}
