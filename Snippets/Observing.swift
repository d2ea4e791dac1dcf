import Foundation
import Taskig

/// Prints how each task ends.
struct Log: TaskObserver {
  func observe(_ event: TaskEvent) {
    if case .finished(let error) = event.kind { print(event.run.name, error == nil ? "succeeded" : "failed") }
  }
}

TaskigSettings.observer = Log()

struct TooBig: Error {}
let rows = Task { ["first", "second"] }.named("rows")
let export = ThrowableTask { if rows.await().count > 1 { throw TooBig() } }.named("export")
export.awaitResult()

/// Adds up for how long threads have waited for tasks.
final class Waits: TaskObserver, @unchecked Sendable {
  // because what changes is touched only while the lock is held.
  private var begins: [UInt64: ContinuousClock.Instant] = [:]
  private var sum = Duration.zero
  private let lock = NSLock()

  var total: Duration { lock.withLock { sum } }

  func observe(_ event: TaskEvent) {
    lock.withLock {
      switch event.kind {
      case .parked: begins[event.run.id] = event.time
      case .resumed: sum += begins.removeValue(forKey: event.run.id).map { event.time - $0 } ?? .zero
      default: break
      }
    }
  }
}

let waits = Waits()
TaskigSettings.observer = waits
Task(executionQueue: .utility) { Thread.sleep(forTimeInterval: 4) }.await()
print("waited:", waits.total >= .milliseconds(40))
