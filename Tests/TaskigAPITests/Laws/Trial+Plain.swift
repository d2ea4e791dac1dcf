import Foundation
import Taskig

extension Trial {
  /// Plain tasks of every kind.
  static let plainTasks: [Trial] = [
    plain("a struct", ending: "value 42") { Constant(probe: $0) },
    plain("a struct with a queue", .serial, ending: "value 42") { Queued(probe: $0) },
    plain("a struct with a queue", .concurrent, ending: "value 42") { Queued(probe: $0) },
    plain("a struct with a queue", .targeting, ending: "value 42") { Queued(probe: $0) },
    plain("a struct with a queue", .main, ending: "value 42") { Queued(probe: $0) },
    plain("a class that completes later", ending: "value 42") { Later(probe: $0) },
    plain("a class that completes later", .serial, ending: "value 42") { Later(probe: $0) },
    plain("a class that completes later", .main, ending: "value 42") { Later(probe: $0) },
    plain("a class that completes on a thread", ending: "value 42") { Threaded(probe: $0) },
    plain("a struct that completes on a queue", ending: "value 42") { Relayed(probe: $0) },
    plain("a struct that completes on a queue", .serial, ending: "value 42") { Relayed(probe: $0) },
    plain("a class", ending: "value shape") { Shape(probe: $0) },
    plain("a subclass that overrides", .serial, ending: "value round shape") { Circle(probe: $0) },
    plain("a subclass as its superclass", .serial, ending: "value round shape") { Circle(probe: $0) as Shape },
    plain("a subclass that inherits", ending: "value shape") { Square(probe: $0) },
    plain("an enum that completes in place", ending: "value sunny") { Weather.sunny($0) },
    plain("an enum that completes later", ending: "value rainy") { Weather.rainy($0) },
    plain("a generic struct", .serial, ending: "value (42, 42)") { Mapped(base: Queued(probe: $0)) { ($0, $0) } },
    plain("a generic struct of a stock task", ending: "value 42!") { Mapped(base: returning(42, $0)) { "\($0)!" } },
    plain("an actor", ending: "value 42") { Account(probe: $0) },
    plain("an actor", .serial, ending: "value 42") { Account(probe: $0) },
    Place.allCases.flatMap { place in
      plain("a task that returns", place, ending: "value 42") { returning(42, $0) }
        + plain("a task that completes in place", place, ending: "value 42") { completing(42, $0) }
        + plain("a task that completes later", place, ending: "value 42") { completingLater(42, $0) }
    },
    plain("a task of nothing", ending: "value ()") { returning((), $0) },
    plain("a task of an optional", ending: "value nil") { returning(Int?.none, $0) },
    plain("a task of an optional that completes", ending: "value nil") { completing(Int?.none, $0) },
    plain("a task of a tuple", .serial, ending: "value (1, \"b\")") { returning((1, "b"), $0) },
    plain("a task of a task's outcome", ending: "value \(TaskResult<Int>.failure(Failure.broken))") {
      returning(TaskResult<Int>.failure(Failure.broken), $0)
    },
  ].flatMap { $0 }

  private static func returning<Value: Sendable>(_ value: Value, _ probe: Probe) -> Task<Value> {
    Task(executionQueue: probe.queue) {
      probe.actionRuns()
      return value
    }
  }

  private static func completing<Value: Sendable>(_ value: Value, _ probe: Probe) -> Task<Value> {
    Task(executionQueue: probe.queue) { completion in
      probe.actionRuns()
      completion(value)
    }
  }

  private static func completingLater<Value: Sendable>(_ value: Value, _ probe: Probe) -> Task<Value> {
    Task(executionQueue: probe.queue) { completion in
      probe.actionRuns()
      DispatchQueue.global().async { completion(value) }
    }
  }
}
