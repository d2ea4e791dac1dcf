import Dispatch
import Foundation
import Testing

@testable import Taskig

extension SettingsTests {
  /// What is told of very many runs, of every kind, on many threads at once, is never told twice or out of order.
  struct ObserverStress {
    /// What a run has gone through, as far as it must.
    fileprivate struct Course {
      var kinds: Set<String> = []
      var parked: [ObjectIdentifier: Int] = [:]
    }

    @Test func `what happens to a run happens once and in order`() throws {
      let (courses, faults) = (Locked<[UInt64: Course]>([:]), Locked<[String]>([]))
      let witness = Witness { event in
        let thread = Machine.thread
        let fault = courses.withLock { Self.note(event, on: thread, in: &$0[event.run.id, default: Course()]) }
        if let fault { faults.withLock { $0.append("\(event.run.name): \(fault)") } }
      }
      try withDeadline(120) {
        TaskigSettings.observer = witness
        defer { TaskigSettings.observer = nil }
        Self.runAll(rounds: Machine.stress(20))
      }
      #expect(faults.withLock { $0 } == [])
      #expect(courses.withLock { $0.values.filter { $0.kinds.contains("started") }.count } > 100)
    }

    /// Awaits tasks of every kind, many at once.
    private static func runAll(rounds: Int) {
      let serial = DispatchQueue(label: "serial")
      (0..<8).map { thread in
        Task {
          for round in 0..<rounds {
            let tasks = (0..<20).map { i -> ThrowableTask<Int> in
              switch (i + round + thread) % 6 {
              case 0: ThrowableTask { i }
              case 1: ThrowableTask { completion in DispatchQueue.global().async { completion(.success(i)) } }
              case 2: ThrowableTask(executionQueue: serial) { i }
              case 3: ThrowableTask { i }.map { $0 }.flatMap { value in ThrowableTask { value } }
              case 4: ThrowableTask { try ThrowableTask { i }.start().await() }
              default:
                ThrowableTask { try [ThrowableTask { i }, ThrowableTask(executionQueue: serial) { i }].awaitFirst() }
              }
            }
            if round % 2 == 0 { tasks[round % 20].cancel() }
            _ = tasks.awaitAllResults(concurrency: 4)
            _ = try? tasks.awaitAll(concurrency: 4)
            _ = try? tasks[0].await(timeout: .milliseconds(1))
          }
        }
      }.awaitAll()
    }

    /// Notes the event, and returns what is wrong with it.
    private static func note(_ event: TaskEvent, on thread: ObjectIdentifier, in course: inout Course) -> String? {
      switch event.kind {
      case .made: return course.kinds.insert("made").inserted && course.kinds.count == 1 ? nil : "made late"
      case .started: return course.follows("made") && course.kinds.insert("started").inserted ? nil : "started"
      case .returned: return course.follows("started") && course.kinds.insert("returned").inserted ? nil : "returned"
      case .finished: return course.follows("made") && course.kinds.insert("finished").inserted ? nil : "finished"
      case .cancelled: return course.follows("made") && course.kinds.insert("cancelled").inserted ? nil : "cancelled"
      case .parked:
        course.parked[thread, default: 0] += 1
        return course.follows("made") ? nil : "parked"
      case .resumed:
        course.parked[thread, default: 0] -= 1
        return course.parked[thread, default: 0] >= 0 ? nil : "resumed without having parked"
      }
    }
  }
}

extension SettingsTests.ObserverStress.Course {
  fileprivate func follows(_ kind: String) -> Bool { kinds.contains(kind) }
}
