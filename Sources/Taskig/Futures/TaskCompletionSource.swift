import Synchronization

/// The producer's end of a shared task: whoever holds it brings the outcome.
///
/// ```swift
/// let source = TaskCompletionSource<Int>()
/// DispatchQueue.global().async { source.set(42) }
/// print(try source.task.await())
/// ```
///
/// Its ``task`` is the consumers' end, to be handed out, awaited and combined. Where an operation is started by whoever awaits it,
/// and takes a completion, a ``ThrowableTask`` made from a closure is simpler.
///
/// A source that is let go of without having been set has lost its outcome: all who wait get
/// ``TaskigError/neverCompleted(task:)``, which names where it was made. The name and the idea are .NET's, by way of Bolts.
public final class TaskCompletionSource<T: Sendable>: Sendable {
  /// What the source completes.
  public let task: SharedTask<T>

  private let site: CallSite
  private let isSet = Atomic(false)

  /// Makes a source whose task is pending.
  public init(file: StaticString = #fileID, line: UInt = #line) {
    site = CallSite(file, line)
    task = SharedTask(from: .place(site), hub: nil)
  }

  deinit {
    task.complete(.failure(TaskigError.neverCompleted(task: name)))
  }

  private var name: String { TaskOrigin.place(site).name(Self.self) }

  /// Completes the task with `value`; from any thread.
  ///
  /// Those who wait go on; none of their code runs on the calling thread. If the task has been cancelled, nothing happens. Traps if
  /// the source was set before: where several may be first, use ``trySet(_:)-(T)``.
  public func set(_ value: T, file: StaticString = #fileID, line: UInt = #line) {
    set(.success(value), file: file, line: line)
  }

  /// Completes the task with `error`; from any thread.
  ///
  /// The same as ``set(_:file:line:)-(T,_,_)`` in all else.
  public func set(error: any Error, file: StaticString = #fileID, line: UInt = #line) {
    set(.failure(error), file: file, line: line)
  }

  /// Completes the task as one that was cancelled; from any thread.
  ///
  /// The same as ``set(_:file:line:)-(T,_,_)`` in all else.
  public func setCancelled(file: StaticString = #fileID, line: UInt = #line) {
    set(.failure(CancellableTaskError.taskWasCancelled), file: file, line: line)
  }

  /// Completes the task with `result`, whose errors are of one type; from any thread.
  ///
  /// The same as ``set(_:file:line:)-(T,_,_)`` in all else.
  public func set<Failure: Error>(_ result: Result<T, Failure>, file: StaticString = #fileID, line: UInt = #line) {
    set(result.mapError { $0 }, file: file, line: line)
  }

  /// Completes the task with `result`; from any thread.
  ///
  /// The same as ``set(_:file:line:)-(T,_,_)`` in all else.
  public func set(_ result: TaskResult<T>, file: StaticString = #fileID, line: UInt = #line) {
    if isSet.exchange(true, ordering: .relaxed) { trapOnSecond(at: CallSite(file, line)) }
    task.complete(result)
  }

  /// Completes the task with `value`, unless it is done; from any thread.
  ///
  /// - Returns: Whether it was this call that completed it.
  @discardableResult
  public func trySet(_ value: T) -> Bool { trySet(.success(value)) }

  /// Completes the task with `error`, unless it is done; from any thread.
  ///
  /// - Returns: Whether it was this call that completed it.
  @discardableResult
  public func trySet(error: any Error) -> Bool { trySet(.failure(error)) }

  /// Completes the task as one that was cancelled, unless it is done; from any thread.
  ///
  /// - Returns: Whether it was this call that completed it.
  @discardableResult
  public func trySetCancelled() -> Bool { trySet(.failure(CancellableTaskError.taskWasCancelled)) }

  /// Completes the task with `result`, unless it is done; from any thread.
  ///
  /// - Returns: Whether it was this call that completed it.
  @discardableResult
  public func trySet(_ result: TaskResult<T>) -> Bool {
    isSet.store(true, ordering: .relaxed)
    return task.complete(result)
  }

  /// Calls `handler` once if the task is cancelled before the source is set, or now if it has been already: so that what is to
  /// bring the outcome can be ended.
  ///
  /// It is called on the thread that cancels, before those who wait go on, and should not block. It is let go of when the task is
  /// done. If it holds the source itself, nobody notices when all others have let go of that; capture it `weak`.
  public func onCancel(_ handler: @escaping @Sendable () -> Void) {
    task.cancellation.listen(.handler(handler))
  }

  private func trapOnSecond(at site: CallSite) -> Never {
    trap(
      "\(name) was set, and has been set before.",
      consequence: "The first outcome stays, and this one would be lost.",
      remedy: "Set it once, or use trySet where several may be the first.",
      at: site)
  }
}

extension TaskCompletionSource where T == Void {
  /// Completes the task; from any thread.
  ///
  /// The same as ``set(_:file:line:)-(T,_,_)`` in all else.
  public func set(file: StaticString = #fileID, line: UInt = #line) {
    set((), file: file, line: line)
  }

  /// Completes the task, unless it is done; from any thread.
  ///
  /// - Returns: Whether it was this call that completed it.
  @discardableResult
  public func trySet() -> Bool { trySet(()) }
}
