import Dispatch
import Foundation
import Testing

@testable import Taskig

extension SettingsTests {
  /// The reports of awaits that take long.
  struct WatchdogTests {
    /// Watches, takes the reports while `body` runs, and stops watching. None comes before `body` calls `look`.
    private static func watching(_ body: (Steps<TaskigReport>) throws -> Void) rethrows {
      TaskigSettings.watchdogLimit = .seconds(3_600)
      defer { TaskigSettings.watchdogLimit = nil }
      try SettingsTests.collectingReports(body)
    }

    /// Does so beside an observer, which hears when an await has parked: then its action has come as far as it can.
    private static func observing(_ body: (Steps<TaskigReport>, Witness) throws -> Void) rethrows {
      let witness = Witness()
      TaskigSettings.observer = witness
      defer { TaskigSettings.observer = nil }
      try watching { try body($0, witness) }
    }

    /// Has the awaits that are under way reported, each when it takes long.
    private static func look() { TaskigSettings.watchdogLimit = .milliseconds(30) }

    @Test func `an await that hangs is reported once, with all that is known of it`() throws {
      try withDeadline {
        Self.watching { reports in
          let (begun, goOn) = (Gate(), Gate())
          let queue = DispatchQueue(label: "watched queue")
          let task = ThrowableTask(executionQueue: queue) { () -> Int in
            begun.open()
            return goOn.pass() ? 1 : 0
          }.named("hanging")
          let waiting = Aside { End(task.awaitResult(file: "Some/File.swift", line: 77)) }
          #expect(begun.pass())
          Self.look()
          #expect(eventually { !reports.longAwaits(of: "hanging").isEmpty })
          let long = reports.longAwaits(of: "hanging")
          goOn.open()
          #expect(waiting.result() == .value(1))
          #expect(long.count == 1)
          #expect(long[0].file == "Some/File.swift" && long[0].line == 77 && long[0].queue == "watched queue")
          #expect(long[0].task.contains("ThrowableTask<Int>") && long[0].task.contains("WatchdogTests.swift"))
          #expect(long[0].duration >= .milliseconds(30) && long[0].awaitedBy.isEmpty)
          #expect(long[0].state.contains("runs"))
          let text = "\(TaskigReport.longAwait(long[0]))"
          #expect(text.contains("takes long") && text.contains("Some/File.swift:77") && text.contains("watched queue"))
          #expect(reports.longAwaits(of: "hanging").count == 1)
        }
      }
    }

    @Test func `those who wait for it are named, on whatever thread they are`() throws {
      try withDeadline {
        Self.watching { reports in
          let goOn = Gate()
          let innermost = Task { goOn.pass() }.named("innermost")
          let middle = Task(executionQueue: DispatchQueue(label: "middle queue")) { innermost.await() }.named("middle")
          let outer = ThrowableTask(executionQueue: .utility) { middle.await() }.named("outer")
          let waiting = Aside { (try? outer.await()) == true }
          Self.look()
          #expect(eventually { ["innermost", "middle", "outer"].allSatisfy { reports.longAwaits(of: $0).count == 1 } })
          let long = reports.longAwaits(of: "innermost")
          goOn.open()
          #expect(waiting.result() == true)
          let chain = long.first?.awaitedBy ?? []
          #expect(chain.count == 2)
          #expect(chain.first?.task.contains("middle") == true && chain.first?.queue == "middle queue")
          #expect(chain.last?.task.contains("outer") == true)
          #expect("\(reports.texts(naming: "innermost"))".contains("It is awaited by"))
          #expect(["innermost", "middle", "outer"].allSatisfy { reports.longAwaits(of: $0).count == 1 })
        }
      }
    }

    @Test func `the state says how far the action has come`() throws {
      try withDeadline {
        Self.observing { reports, witness in
          let goOn = Gate()
          let (queue, own) = (DispatchQueue(label: "blocked"), DispatchQueue(label: "own"))
          queue.async { goOn.pass() }
          let held = Held<Int>()
          let inLine = ThrowableTask(executionQueue: queue) { 1 }.named("in line")
          let returned = held.task().named("returned here")
          let returnedOnQueue = held.task(on: own).named("returned there")
          let waiting = [inLine, returned, returnedOnQueue].map { task in Aside { End(task.awaitResult()) } }
          let names = ["in line", "returned here", "returned there"]
          for name in names { #expect(eventually { witness.kinds(of: name).contains("parked") }) }
          #expect(held.hasBegun(2))
          // What runs on the queue has returned when this is done.
          own.sync {}
          Self.look()
          for name in names { #expect(eventually { reports.longAwaits(of: name).count == 1 }) }
          #expect(reports.longAwaits(of: "in line").first?.state.contains("turn") == true)
          #expect(reports.longAwaits(of: "returned here").first?.state.contains("has returned") == true)
          #expect(reports.longAwaits(of: "returned there").first?.state.contains("has returned") == true)
          goOn.open()
          held.complete(.success(1))
          #expect(waiting.map { $0.result() } == [.value(1), .value(1), .value(1)])
        }
      }
    }

    @Test func `collections are watched too`() throws {
      try withDeadline {
        Self.watching { reports in
          let held = Held<Int>()
          let waiting = Aside {
            [held.task(), held.task()].awaitAllResults(file: "Some/File.swift", line: 78).map(End.init)
          }
          #expect(held.hasBegun(2))
          Self.look()
          #expect(eventually { reports.longAwaits(of: "2 tasks").contains { $0.line == 78 } })
          held.complete(.success(1))
          #expect(waiting.result() == [.value(1), .value(1)])
        }
      }
    }

    @Test func `what is done in time is not reported, and results are the same`() throws {
      try withDeadline { () throws in
        TaskigSettings.watchdogLimit = .seconds(3_600)
        defer { TaskigSettings.watchdogLimit = nil }
        #expect(TaskigSettings.watchdogLimit == .seconds(3_600))
        try SettingsTests.collectingReports { (reports: Steps<TaskigReport>) throws in
          for queue in [DispatchQueue.taskDefault, DispatchQueue(label: "own"), .utility] {
            #expect(Task(executionQueue: queue) { 1 }.named("quick").await() == 1)
            #expect(try ThrowableTask(executionQueue: queue) { 2 }.named("quick").await() == 2)
            let tasks = [Task(executionQueue: queue) { 3 }.named("quick")]
            #expect(tasks.awaitAll() == [3])
          }
          #expect(reports.texts(naming: "quick").isEmpty)
        }
      }
      #expect(TaskigSettings.watchdogLimit == nil)
    }

    @Test func `the environment switches it on`() async {
      let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
        setenv("TASKIG_WATCHDOG", "0.05", 1)
        let reported = Gate()
        TaskigSettings.reportHandler = { report in
          FileHandle.standardError.write(Data("\(report)".utf8))
          reported.open()
        }
        let isReported = blocking { Task { reported.pass() }.named("from the environment").await() }
        exit(isReported && TaskigSettings.watchdogLimit != nil ? 3 : 4)
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("from the environment") && said.contains("takes long"))
    }

    @Test func `an environment that makes no sense traps, and an empty one does not`() async {
      let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        setenv("TASKIG_WATCHDOG", "soon", 1)
        _ = blocking { Task { 1 }.await() }
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("TASKIG_WATCHDOG") && said.contains("soon"))
      await #expect(processExitsWith: .signal(SIGILL)) {
        setenv("TASKIG_WATCHDOG", "0", 1)
        _ = blocking { Task { 1 }.await() }
      }
      await #expect(processExitsWith: .signal(SIGILL)) {
        setenv("TASKIG_WATCHDOG", "-1", 1)
        _ = blocking { [Task { 1 }].awaitAll() }
      }
      await #expect(processExitsWith: .signal(SIGILL)) {
        setenv("TASKIG_WATCHDOG", "nan", 1)
        _ = blocking { Task { 1 }.await() }
      }
      await #expect(processExitsWith: .exitCode(3)) {
        setenv("TASKIG_WATCHDOG", "", 1)
        exit(blocking { Task { 1 }.await() } == 1 ? 3 : 4)
      }
    }

    @Test func `a limit of zero or less traps`() async {
      let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        TaskigSettings.watchdogLimit = .zero
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("above zero"))
      await #expect(processExitsWith: .signal(SIGILL)) { TaskigSettings.watchdogLimit = .seconds(-1) }
    }

    @Test func `the watchdog's chain names the collection`() throws {
      try withDeadline {
        Self.watching { reports in
          let goOn = Gate()
          let waiting = Aside { [Task { Task { goOn.pass() }.named("in a collection").await() }].awaitFirst() }
          Self.look()
          #expect(eventually { !reports.longAwaits(of: "in a collection").isEmpty })
          goOn.open()
          #expect(waiting.result() == true)
          #expect(reports.longAwaits(of: "in a collection").first?.awaitedBy.count == 1)
        }
      }
    }

    @Test func `the watchdog's state is right where the await entered the queue`() throws {
      try withDeadline {
        Self.observing { reports, witness in
          let held = Held<Int>()
          let task = held.task(on: .utility).named("entered")
          let waiting = Aside { End(task.awaitResult()) }
          #expect(eventually { witness.kinds(of: "entered").contains("parked") })
          Self.look()
          #expect(eventually { !reports.longAwaits(of: "entered").isEmpty })
          held.complete(.success(1))
          #expect(waiting.result() == .value(1))
          #expect(reports.longAwaits(of: "entered").first?.state.contains("has returned") == true)
        }
      }
    }
  }
}
