import Dispatch
import Foundation
import Testing

@testable import Taskig

extension SettingsTests {
  /// Has a witness observe while `body` runs, under a deadline.
  static func observed(
    by witness: Witness = Witness(), _ name: String = #function, location: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (Witness) throws -> Void
  ) throws {
    try withDeadline(20, name, location: location) {
      TaskigSettings.observer = witness
      defer { TaskigSettings.observer = nil }
      try body(witness)
    }
  }

  /// What an observer is told of runs.
  struct ObserverTests {
    @Test func `an await in place is told from its beginning to its end, on its thread`() throws {
      try SettingsTests.observed { witness in
        let task = ThrowableTask { 1 }.named("in place")
        #expect(End(task.awaitResult(file: "Some/File.swift", line: 5)) == .value(1))
        let notes = witness.notes(of: "in place")
        #expect(notes.map(\.kind) == ["made", "started", "finished", "returned"])
        #expect(notes.allSatisfy { $0.thread == Machine.thread && $0.error == nil })
        let run = notes[0].run
        #expect(Set(notes.map(\.run.id)) == [run.id])
        #expect(run.file == "Some/File.swift" && run.line == 5 && run.queue == nil)
        #expect(run.isAwaited && run.parent == nil)
        #expect(run.task.contains("ThrowableTask<Int>") && run.task.contains("ObserverTests.swift"))
      }
    }

    @Test func `a task without a name is told by its type`() throws {
      struct Unnamed: TaskType {
        func action(completion: @escaping @Sendable (Int) -> Void) { completion(1) }
      }
      try SettingsTests.observed { witness in
        Unnamed().await()
        #expect(witness.kinds(of: "Unnamed") == ["made", "started", "finished", "returned"])
      }
    }

    @Test func `a failure is told with its error`() throws {
      try SettingsTests.observed { witness in
        _ = ThrowableTask<Int> { throw Failed(number: 3) }.named("failing").awaitResult()
        #expect(witness.kinds(of: "failing") == ["made", "started", "finished", "returned"])
        #expect(witness.notes(of: "failing")[2].error as? Failed == Failed(number: 3))
      }
    }

    @Test func `who waits for a callback parks, and resumes when the run has finished elsewhere`() throws {
      try SettingsTests.observed { witness in
        let held = Held<Int>()
        let waiting = Aside { End(held.task().named("callback").awaitResult()) }
        #expect(eventually { witness.kinds(of: "callback").contains("parked") })
        held.complete(.success(1), .success(2))
        #expect(waiting.result() == .value(1))
        let notes = witness.notes(of: "callback")
        #expect(notes.map(\.kind) == ["made", "started", "returned", "parked", "finished", "resumed"])
        #expect(notes.last?.thread == notes[0].thread && notes[4].thread != notes[0].thread)
      }
    }

    @Test(arguments: [false, true]) func `the action starts on the queue that the task names`(isAwaited: Bool) throws {
      let key = DispatchSpecificKey<String>()
      try SettingsTests.observed(by: Witness(key: key)) { witness in
        let queue = DispatchQueue(label: "observed queue")
        queue.setSpecific(key: key, value: "here")
        let task = ThrowableTask(executionQueue: queue) { 1 }.named("on queue")
        if isAwaited { try task.await() } else { task.async() }
        #expect(eventually { witness.kinds(of: "on queue").contains("finished") })
        let notes = witness.notes(of: "on queue")
        #expect(notes[0].run.queue == "observed queue" && notes[0].run.isAwaited == isAwaited)
        for note in notes where ["started", "returned", "finished"].contains(note.kind) { #expect(note.isOnQueue) }
        for note in notes where ["made", "parked", "resumed"].contains(note.kind) { #expect(!note.isOnQueue) }
      }
    }

    @Test func `a run is told with the one that it was made in, on whatever thread, and whether that awaits it`() throws
    {
      try SettingsTests.observed { witness in
        let started = Gate()
        ThrowableTask {
          try ThrowableTask(executionQueue: .utility) {
            Task { started.open() }.named("started inside").async()
            return Task { 1 }.named("inner").await()
          }.named("middle").await(timeout: .seconds(3_600))
        }.named("outer").awaitResult()
        #expect(started.pass())
        let (outer, middle) = (witness.run("outer"), witness.run("middle"))
        #expect(outer?.id != nil && outer?.parent == nil)
        #expect(middle?.parent == outer?.id && middle?.isAwaited == true)
        #expect(witness.run("inner")?.parent == middle?.id && witness.run("inner")?.isAwaited == true)
        #expect(witness.run("started inside")?.parent == middle?.id)
        #expect(witness.run("started inside")?.isAwaited == false)
      }
    }

    @Test func `tasks that are awaited together are told with the run that gathers them`() throws {
      try SettingsTests.observed { witness in
        let tasks = (0..<3).map { number in ThrowableTask { number }.named("item") }
        try tasks.awaitAll()
        _ = try tasks.whenAll().named("when").await()
        let gathering = witness.all.first { $0.run.name == "3 tasks ThrowableTask<Int>" }?.run
        let parents = witness.notes(of: "item").filter { $0.kind == "made" }.map(\.run.parent)
        #expect(parents.count == 6)
        #expect(Set(parents.prefix(3)) == [gathering?.id] && gathering != nil)
        #expect(Set(parents.suffix(3)) == [witness.run("when")?.id])
        #expect(
          witness.kinds(of: "3 tasks ThrowableTask<Int>").filter { $0 != "parked" && $0 != "resumed" }
            == ["made", "started", "finished", "returned"])
      }
    }

    @Test func `the source of a chain is told as a part of it`() throws {
      try SettingsTests.observed { witness in
        let held = Held<Int>()
        let waiting = Aside { End(held.task().named("source").map { $0 + 1 }.named("chain").awaitResult()) }
        #expect(eventually { witness.kinds(of: "chain").contains("parked") })
        held.complete(.success(1))
        #expect(waiting.result() == .value(2))
        #expect(witness.run("source")?.parent == witness.run("chain")?.id)
        #expect(witness.kinds(of: "source") == ["made", "started", "returned", "finished"])
        #expect(witness.kinds(of: "chain") == ["made", "started", "returned", "parked", "finished", "resumed"])
      }
    }

    @Test func `the await of a shared task joins a run and starts none`() throws {
      try SettingsTests.observed { witness in
        let held = Held<Int>()
        let shared = held.task().named("shared").start()
        let run = witness.run("shared")
        let waiting = Aside { End(shared.awaitResult()) }
        // Its action runs on another thread than the await, and either may come first.
        #expect(eventually { witness.kinds(of: "shared").contains("returned") })
        #expect(eventually { witness.kinds(of: "shared").contains("parked") })
        held.complete(.success(1))
        #expect(waiting.result() == .value(1))
        #expect(run?.isAwaited == false)
        let joined = witness.notes(of: "shared").filter { $0.run.id != run?.id }
        #expect(joined.map(\.kind) == ["made", "parked", "resumed", "finished"])
        let own = witness.notes(of: "shared").filter { $0.run.id == run?.id }.map(\.kind)
        #expect(own == ["made", "started", "returned", "finished"])
      }
    }

    @Test func `tasks that async code awaits are told as parts of the run that it belongs to`() throws {
      try SettingsTests.observed { witness in
        Task.fromAsync { await Task { 1 }.named("inside").value }.named("code").await()
        #expect(witness.run("inside")?.parent == witness.run("code")?.id && witness.run("code") != nil)
      }
    }

    @Test(arguments: ["await", "on a queue", "in time", "async", "afterwards", "collection"])
    func `what the observer itself runs, and what is a part of that, is not told`(face: String) throws {
      let ended = Gate()
      let witness = Witness { event in
        // Any of its own: one that is told would have another one run.
        guard event.run.name == "outer" || event.run.name == "of the observer" else { return }
        let inner = Task { 1 }.named("of the observer")
        switch face {
        case "await": inner.await()
        case "on a queue": Task(executionQueue: .utility) { inner.await() }.named("of the observer").await()
        case "in time": _ = Task { inner.await() }.named("of the observer").await(timeout: .seconds(10))
        case "async": Task { inner.await() }.named("of the observer").async { _ in ended.open() }
        case "afterwards":
          inner.async { _ in
            inner.await()
            ended.open()
          }
        default: [inner, inner].awaitAll()
        }
      }
      try SettingsTests.observed(by: witness) { witness in
        Task { 1 }.named("outer").await()
        if face == "async" || face == "afterwards" { #expect(ended.pass()) }
        #expect(witness.kinds(of: "outer").count == 4)
        #expect(witness.kinds(of: "of the observer").isEmpty)
      }
    }

    @Test func `a run is told to the end to whoever was told of its beginning`() throws {
      try SettingsTests.observed { witness in
        let (held, later) = (Held<Int>(), Witness())
        let waiting = Aside { End(held.task().named("begun").awaitResult()) }
        #expect(eventually { witness.kinds(of: "begun").contains("parked") })
        TaskigSettings.observer = later
        #expect(TaskigSettings.observer is Witness)
        held.complete(.success(1))
        #expect(waiting.result() == .value(1))
        TaskigSettings.observer = nil
        #expect(TaskigSettings.observer == nil)
        Task { 1 }.named("unobserved").await()
        #expect(witness.kinds(of: "begun").last == "resumed")
        #expect(later.kinds(of: "begun").isEmpty)
        #expect(witness.kinds(of: "unobserved").isEmpty && later.kinds(of: "unobserved").isEmpty)
      }
    }

    @Test func `the watchdog works beside an observer`() throws {
      try SettingsTests.observed { witness in
        TaskigSettings.watchdogLimit = .milliseconds(20)
        defer { TaskigSettings.watchdogLimit = nil }
        SettingsTests.collectingReports { reports in
          let held = Held<Int>()
          let waiting = Aside { End(held.task().named("watched by both").awaitResult()) }
          #expect(eventually { reports.longAwaits(of: "watched by both").count == 1 })
          // It may be reported before it has come to its action.
          #expect(eventually { witness.kinds(of: "watched by both").contains("parked") })
          held.complete(.success(1))
          #expect(waiting.result() == .value(1))
        }
        #expect(witness.kinds(of: "watched by both").last == "resumed")
      }
    }
  }
}
