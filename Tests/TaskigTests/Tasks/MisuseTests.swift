import Dispatch
import Foundation
import Testing

@testable import Taskig

/// All that changes the settings of the process, one after the other.
@Suite(.serialized)
struct SettingsTests {
  /// Takes the reports while `body` runs. Other tests may be at work: whoever asks looks for names of its own.
  static func collectingReports(_ body: (Steps<TaskigReport>) throws -> Void) rethrows {
    let reports = Steps<TaskigReport>()
    let old = TaskigSettings.reportHandler
    TaskigSettings.reportHandler = { reports.note($0) }
    defer { TaskigSettings.reportHandler = old }
    try body(reports)
  }
}

extension Steps<TaskigReport> {
  /// The texts of the reports that name `name`.
  func texts(naming name: String) -> [String] { all.map { "\($0)" }.filter { $0.contains(name) } }

  /// The reports of long awaits of the task named `name`.
  func longAwaits(of name: String) -> [TaskigReport.LongAwait] {
    all.compactMap { report in
      if case .longAwait(let long) = report, long.task.contains(name) { long } else { nil }
    }
  }
}

extension SettingsTests {
  /// Completions that are called twice.
  struct MisuseTests {
    private typealias Complete = Held<Int>.Complete

    @Test func `the first completion counts, and the second is reported once, with the task's name and place`() throws {
      try withDeadline {
        SettingsTests.collectingReports { reports in
          for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own"), .utility] {
            let name = "twice on \(queue.label)"
            let line = #line + 1
            let task = ThrowableTask<Int>(executionQueue: queue) { (completion: @escaping Complete) in
              completion(.success(1))
              completion(.success(2))
              completion(.failure(Failed()))
            }.named(name)
            #expect(End(task.awaitResult()) == .value(1))
            #expect(eventually { reports.texts(naming: name).count == 1 })
            let text = reports.texts(naming: name)[0]
            #expect(text.contains("ThrowableTask<Int>") && text.contains("MisuseTests.swift:\(line)"))
            #expect(text.contains("more than once"))
            // Each run is reported by itself.
            #expect(End(task.awaitResult()) == .value(1))
            #expect(End(task.awaitResult(timeout: .seconds(60))) == .value(1))
            #expect(eventually { reports.texts(naming: name).count == 3 })
          }
        }
      }
    }

    @Test func `plain tasks, types of one's own, collections and handlers are no exception`() throws {
      try withDeadline { () throws in
        try SettingsTests.collectingReports { (reports: Steps<TaskigReport>) throws in
          let plain = Task<Int> { (completion: @escaping @Sendable (Int) -> Void) in
            completion(1)
            completion(2)
          }.named("plain misuser")
          #expect(plain.await() == 1)
          #expect(reports.texts(naming: "plain misuser").count == 1)
          #expect(try plain.throwableTask.await() == 1)
          #expect(reports.texts(naming: "plain misuser").count == 2)
          #expect([plain, plain].awaitAll() == [1, 1])
          #expect(eventually { reports.texts(naming: "plain misuser").count == 4 })
          let heard = Steps<Int>()
          plain.async { heard.note($0) }
          #expect(eventually { reports.texts(naming: "plain misuser").count == 5 })
          #expect(heard.all == [1])
          plain.async()
          #expect(eventually { reports.texts(naming: "plain misuser").count == 6 })
          #expect(awaitAll(plain, Task { 2 }) == (1, 2))
          #expect(eventually { reports.texts(naming: "plain misuser").count == 7 })
          #expect(Misuser().await() == 1)
          #expect(reports.texts(naming: "Misuser").count == 1)
        }
      }
    }

    private struct Misuser: TaskType {
      func action(completion: @escaping @Sendable (Int) -> Void) {
        completion(1)
        completion(2)
      }
    }

    @Test func `two threads that complete at once get one outcome and one report`() throws {
      try withDeadline {
        try SettingsTests.collectingReports { reports in
          let task = ThrowableTask<Int> { (completion: @escaping Complete) in
            let start = Meeting(of: 2)
            for i in 1...2 {
              DispatchQueue.global().async {
                _ = start.join()
                completion(.success(i))
              }
            }
          }.named("contended")
          let rounds = Machine.stress(1_000)
          for _ in 0..<rounds {
            let value = try task.await()
            #expect((1...2).contains(value))
          }
          #expect(eventually { reports.texts(naming: "contended").count == rounds })
        }
      }
    }

    @Test func `one that comes late, after a cancellation or a timeout, is no misuse`() throws {
      try withDeadline {
        SettingsTests.collectingReports { reports in
          for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own")] {
            let held = Held<Int>()
            let task = held.task(on: queue).named("late")
            let waiting = Aside { End(task.awaitResult()) }
            #expect(held.hasBegun())
            #expect(End(task.awaitResult(timeout: .milliseconds(100))) == .timedOut)
            let heard = Gate()
            task.async { _ in heard.open() }
            let collected = Aside { [task, task].awaitAllResults().map(End.init) }
            #expect(held.hasBegun(4))
            task.cancel()
            #expect(waiting.result() == .cancelled && heard.pass())
            #expect(collected.result() == [.cancelled, .cancelled])
            held.complete(.success(1))
            held.drop()
          }
          #expect(reports.texts(naming: "late").isEmpty)
        }
      }
    }

    @Test func `a report without a handler goes to standard error`() async {
      let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
        let task = ThrowableTask<Int> { (completion: @escaping @Sendable (TaskResult<Int>) -> Void) in
          completion(.success(1))
          completion(.success(2))
        }.named("on paper")
        _ = try blocking { try task.await() }
        exit(3)
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("“on paper”") && said.contains("more than once"))
    }
  }
}
