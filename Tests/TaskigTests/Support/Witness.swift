import Dispatch
import Foundation

@testable import Taskig

/// An observer that notes what it is told, in order, and on which thread.
final class Witness: TaskObserver {
  /// An event as tests compare it.
  struct Note: Sendable {
    let kind: String
    let error: (any Error)?
    let run: TaskRun
    let thread: ObjectIdentifier
    let isOnQueue: Bool
  }

  private let steps = Steps<Note>()
  private let key: DispatchSpecificKey<String>?
  private let act: @Sendable (TaskEvent) -> Void

  /// - Parameters:
  ///   - key: What a queue has to bear for an event to be noted as one on a queue.
  ///   - act: What else it does.
  init(key: DispatchSpecificKey<String>? = nil, act: @escaping @Sendable (TaskEvent) -> Void = { _ in }) {
    self.key = key
    self.act = act
  }

  func observe(_ event: TaskEvent) {
    let (kind, error) = Self.text(of: event.kind)
    let isOnQueue = key.map { DispatchQueue.getSpecific(key: $0) != nil } ?? false
    steps.note(
      Note(kind: kind, error: error, run: event.run, thread: Machine.thread, isOnQueue: isOnQueue))
    act(event)
  }

  /// What was noted of the runs with that name; other tests may be at work.
  func notes(of name: String) -> [Note] { steps.all.filter { $0.run.name == name } }

  /// What happened to the runs with that name.
  func kinds(of name: String) -> [String] { notes(of: name).map(\.kind) }

  /// The first run with that name.
  func run(_ name: String) -> TaskRun? { notes(of: name).first?.run }

  /// All that was noted.
  var all: [Note] { steps.all }

  private static func text(of kind: TaskEvent.Kind) -> (String, (any Error)?) {
    switch kind {
    case .made: ("made", nil)
    case .started: ("started", nil)
    case .returned: ("returned", nil)
    case .finished(let error): ("finished", error)
    case .cancelled: ("cancelled", nil)
    case .parked: ("parked", nil)
    case .resumed: ("resumed", nil)
    }
  }
}
