import Dispatch
import Synchronization

/// Work that runs once and whose outcome is shared by all who ask for it: a future.
///
/// A ``Task`` or ``ThrowableTask`` is cold: each await runs it again. ``ThrowableTaskType/start(file:line:)`` runs one now, once, and
/// gives the shared task, which can be awaited any number of times, from any thread, before and after it is done:
///
/// ```swift
/// let download = ThrowableTask { try load("index.html") }.start()
/// let words = download.map { $0.split(separator: " ").count }
/// print(try download.await(), try words.await())
/// ```
///
/// An await of a shared task that is done costs a read, and gives the outcome also in a run that has been cancelled. One that is
/// cancelled, or whose time is up, ends; the shared task goes on, for the others. ``cancel()`` ends it for all.
///
/// A ``TaskCompletionSource`` makes one whose outcome comes from elsewhere. The operators (`map`, `recover` and so on) of a shared
/// task give shared tasks: they run as soon as it is done, whether or not anybody awaits them.
public final class SharedTask<T: Sendable>: ThrowableTaskType, CancellableTaskType, @unchecked Sendable {
  // because `stored` is written once, before `isDone` is set, and read only after that has been seen.

  /// What the task results in when it succeeds.
  public typealias ResultType = T

  /// How far a shared task is.
  public enum State: Sendable {
    /// It is not done.
    case pending
    /// It is done, with this value.
    case success(T)
    /// It failed, with this error.
    case failure(any Error)
    /// It was cancelled.
    case cancelled
  }

  private enum Listener {
    /// Lets something go on that waits; that is all it does.
    case wake(Completion<TaskResult<T>>)
    /// Calls the user's code.
    case receiver(Completion<TaskResult<T>>)

    func hear(_ outcome: TaskResult<T>) {
      switch self {
      case .wake(let completion): completion.complete(outcome)
      case .receiver(let completion):
        // On a thread that has nothing else to do: this one is in the middle of something that the receiver might wait for.
        Workers.shared.submit(.quiet) { completion.complete(outcome) }
      }
    }
  }

  private struct Listeners {
    var all = Numbered<Listener>()
    var last = 0
  }

  @usableFromInline let isDone = Atomic(false)
  @exclusivity(unchecked) @usableFromInline var stored: TaskResult<T>?
  private let listeners = Locked(Listeners())

  /// What calls off the run, and ends it; after the outcome it does nothing.
  let cancellation = Cancellation()

  /// Stands for the run to those who wait for it; `nil` if the outcome comes from who knows where.
  let hub: Waiter?

  @usableFromInline let origin: TaskOrigin

  init(from origin: TaskOrigin, hub: Waiter?) {
    self.origin = origin
    self.hub = hub
    // Each holds the other until the outcome is there, which whoever is to bring it sees to.
    cancellation.listen(.wake { self.finish(with: .failure(CancellableTaskError.taskWasCancelled)) })
  }

  /// Makes a shared task that is done from the beginning.
  public init(_ outcome: TaskResult<T>, file: StaticString = #fileID, line: UInt = #line) {
    origin = .place(CallSite(file, line))
    hub = nil
    stored = outcome
    isDone.store(true, ordering: .releasing)
    _ = cancellation.close()
  }

  /// Takes the outcome, if it is the first and the task has not been called off; returns whether it did.
  ///
  /// Once the task has been called off, that is its outcome, which comes when the handlers have been called.
  @discardableResult
  func complete(_ outcome: TaskResult<T>) -> Bool {
    cancellation.close() && finish(with: outcome)
  }

  /// Takes the outcome, if it is the first, and tells all who wait for one; returns whether it did.
  @discardableResult
  private func finish(with outcome: TaskResult<T>) -> Bool {
    let told = listeners.withLock { listeners -> [Listener]? in
      guard !isDone.load(ordering: .relaxed) else { return nil }
      stored = outcome
      isDone.store(true, ordering: .releasing)
      return listeners.all.takeAll()
    }
    guard let told else { return false }
    cancellation.end()
    hub?.leave()
    for listener in told { listener.hear(outcome) }
    return true
  }

  /// How far the task is; from any thread, without blocking.
  public var state: State {
    switch outcome {
    case nil: return .pending
    case .success(let value)?: return .success(value)
    case .failure(let error)?: return error.isCancellation ? .cancelled : .failure(error)
    }
  }

  /// What the task ended with, if it is done; from any thread, without blocking.
  @inlinable
  public var outcome: TaskResult<T>? { isDone.load(ordering: .acquiring) ? stored : nil }

  /// Whether the task is done, one way or the other; from any thread, without blocking.
  public var isCompleted: Bool { isDone.load(ordering: .acquiring) }

  /// Whether the task was cancelled before it was done; from any thread, without blocking.
  public var isCancelled: Bool { outcome?.isCancelled == true }

  /// Calls the task off, for all who wait for it; from any thread.
  ///
  /// Its state is then ``State/cancelled``, unless it was done. What it runs can see that (`Task.isCancelled`), and what that
  /// awaits ends. If the task was made from another shared one, that is cancelled too, and with it all that was made from it.
  public func cancel() {
    cancellation.cancel()
  }

  /// Hands the outcome to `completion`, now, or when it is there, on a thread of Taskig's own.
  public func action(completion: @escaping @Sendable (TaskResult<T>) -> Void) {
    if let outcome { return completion(outcome) }
    let listener = Listener.receiver(Completion { if let outcome = $0 { completion(outcome) } })
    join(listener, isAwaited: true, at: origin.site ?? CallSite(#fileID, #line))
  }
}

extension SharedTask {
  /// Has `listener` hear the outcome, now or when it is there; the number by which to take that back, if it is to come.
  @discardableResult
  private func add(_ listener: Listener) -> Int? {
    let number = listeners.withLock { listeners -> Int? in
      guard !isDone.load(ordering: .relaxed) else { return nil }
      listeners.last += 1
      listeners.all.add(listeners.last, listener)
      return listeners.last
    }
    if number == nil, let outcome { listener.hear(outcome) }
    return number
  }

  /// Calls `body`, which is short and no code of the user's, on the thread that completes the task, or now.
  func whenDone(_ body: @escaping (TaskResult<T>) -> Void) {
    add(.wake(Completion { if let outcome = $0 { body(outcome) } }))
  }

  /// Takes a listener back, of whose completion nobody wants to know any more.
  private func forget(_ number: Int) {
    let listener = listeners.withLock { $0.all.remove(number) }
    hub?.unjoin(number)
    withExtendedLifetime(listener) {}
  }

  /// Has `listener` hear the outcome, on behalf of the run on the calling thread, as long as that goes on; it waits for it if that
  /// `isAwaited`.
  private func join(_ listener: Listener, isAwaited: Bool, at site: CallSite) {
    let thread = ThreadContext.current
    let waiter = thread.waiterForHandedOn
    if isAwaited { thread.watched?.come(to: .goesOn) }
    guard let number = add(listener) else { return }
    if let hub, let waiter {
      hub.join(waiter, as: number)
      // Afterwards, so that of two that come at the same moment one sees the other.
      if isAwaited, hub.needs(waiter) { trapInCircle(at: site) }
    }
    thread.scope?.listen(.handler { self.forget(number) })
  }

  private func trapInCircle(at site: CallSite) -> Never {
    trap(
      "\(origin.name(SharedTask.self)) is awaited by something that it is waiting for itself.",
      consequence: "Neither could ever go on: a deadlock.",
      remedy: "Do not await a shared task from inside of it, nor from what it awaits.",
      at: site)
  }
}

extension SharedTask: SettlingTask {
  @inlinable
  static func settled<Other, Outcome>(_ task: Other, as type: Outcome.Type) -> Outcome? {
    guard let outcome = sameType(task, as: SharedTask.self).outcome else { return nil }
    return sameType(outcome, as: type)
  }

  @usableFromInline
  static func join<Other, Outcome>(_ task: Other, _ completion: Completion<Outcome>, at site: CallSite) {
    let completion = sameType(completion, as: Completion<TaskResult<T>>.self)
    // Who awaits, takes the receiver later, when it has seen that the outcome is not there.
    let isAwaited = !completion.hasReceiver
    sameType(task, as: SharedTask.self)
      .join(isAwaited ? .wake(completion) : .receiver(completion), isAwaited: isAwaited, at: site)
  }
}

extension SharedTask: DirectTask {
  @inlinable
  static func runDirectly<Other, Outcome>(_ task: Other, as type: Outcome.Type) -> Outcome? {
    settled(task, as: type)
  }
}

extension SharedTask: CancellationOwner {
  @inlinable
  static func cancellation<Other>(of task: Other) -> Cancellation? { nil }
}

extension SharedTask: TracedTask {
  @inlinable
  static func origin<Other>(of task: Other) -> TaskOrigin { sameType(task, as: SharedTask.self).origin }
}
