import Dispatch

/// A cold task that is made of another one and of what follows it, as data.
///
/// Closures that await each other need a stack as deep as the chain is long, to run it and to let go of it. Data is run in a loop
/// and taken apart in one.
@usableFromInline
final class Chain: @unchecked Sendable {
  // because nothing is written after it is made, except by `deinit`.

  /// A task with steps, and what calls it off.
  typealias Link = (chain: Chain, cancellation: Cancellation?)

  enum Act {
    /// Begins a task, as a part of the run that it is given, and returns its outcome if that is there at once; if it is not,
    /// the run is told later.
    case begin((any ChainHost) -> TaskResult<Any>?)
    /// Does something with the outcome of the source.
    case step(ChainStep)
    /// Hands on the outcome of the source.
    case nothing
  }

  private(set) var act: Act
  private(set) var source: Chain?

  /// What calls off the task that is the source, which this holds.
  private let cancellation: Unmanaged<Cancellation>?

  /// A chain that `begin` begins and ends.
  init(_ begin: @escaping (any ChainHost) -> TaskResult<Any>?) {
    act = .begin(begin)
    cancellation = nil
  }

  /// `step` after `link`.
  convenience init(_ step: ChainStep, after link: Link) {
    self.init(.step(step), after: link)
  }

  private init(_ act: Act, after link: Link) {
    self.act = act
    source = link.chain
    cancellation = link.cancellation.map(Unmanaged.passRetained)
  }

  /// A chain of nothing but `link`.
  static func of(_ link: Link) -> Chain {
    // Whether the cancellation is in use is seen later, when nobody holds it any more who only handed it on.
    link.cancellation == nil ? link.chain : Chain(.nothing, after: link)
  }

  deinit {
    cancellation?.release()
    Dismantler.letGo(of: takeApart())
  }

  private func takeApart() -> (Act, Chain?) {
    defer { (act, source) = (.nothing, nil) }
    return (act, source)
  }

  /// What calls off the task that is the source, if anybody has or still can: most tasks in a chain are held by nobody else.
  var sourceCancellation: Cancellation? {
    guard var reference = cancellation else { return nil }
    // A copy that does not hold it: to look counts as writing, and two runs may look at once.
    let isInUse = withUnsafeMutablePointer(to: &reference) { place in
      place.withMemoryRebound(to: Cancellation.self, capacity: 1) { !isKnownUniquelyReferenced(&$0.pointee) }
    }
    let source = reference.takeUnretainedValue()
    return isInUse || source.isCancelled ? source : nil
  }
}

/// The run of a chain, to a task that is a part of it.
protocol ChainHost: AnyObject {
  /// Whether the run has an outcome for an error.
  ///
  /// Then it also ends as soon as it can when it is called off.
  var canFail: Bool { get }

  /// Notes what the run needs to know of the calling thread when it goes on elsewhere: what calls it off, and who waits for it.
  func noteSurroundings() -> (scope: Cancellation?, waiter: Waiter?)

  /// Goes on after something that had no outcome at once, on another thread.
  func resume(with next: ChainStep.Next)
}

/// What follows a task.
struct ChainStep {
  enum Occasion {
    /// The source has succeeded.
    case success
    /// It has failed, and was not cancelled.
    case failure
    /// It has ended.
    case end
  }

  /// What comes of it.
  enum Next {
    case result(TaskResult<Any>)
    /// The outcome of another task, which is run now.
    case chain(Chain)
  }

  let occasion: Occasion

  /// Where the user's code in it runs.
  let queue: DispatchQueue
  let act: (TaskResult<Any>) -> Next

  /// Whether it is for a source that ended with `result`.
  func isFor(_ result: TaskResult<Any>) -> Bool {
    switch occasion {
    case .success: !result.isFailure
    case .failure: result.isFailure && !result.isCancelled
    case .end: true
    }
  }
}
