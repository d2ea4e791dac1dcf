import Dispatch

/// One run of a chain.
///
/// It goes from step to step on the thread on which it was started, as long as each has its outcome at once. Where one has not,
/// the thread goes back, and the run goes on later, on a worker: the thread on which the outcome came may be one that others wait
/// for, and the steps are the user's code, which may block. For the same reason it leaves a queue that a step has named.
final class ChainRun: ChainHost, @unchecked Sendable {
  // because one thread at a time goes on with it, the one that has the outcome of what it waits for; the others came before.

  private enum Part {
    case step(ChainStep)
    /// The end of a source that something calls off by itself.
    case endOfScope
  }

  /// What there is to be done, the last first.
  private var parts: [Part] = []

  /// What calls off the source that the run is in, for each source that can be called off by itself, the innermost last.
  private var innerScopes: [Cancellation] = []

  /// What calls off the run.
  private var scope: Cancellation?

  /// Who waits for the run.
  private var waiter: Waiter?

  /// The frame of the run that this one is a part of, until it is prepared to go on elsewhere.
  private var home: UnsafeMutablePointer<Frame>?

  let canFail: Bool
  private let end: (TaskResult<Any>) -> Void

  /// Makes a run that goes on within the run whose frame is on top when it is started.
  init(canFail: Bool, _ end: @escaping (TaskResult<Any>) -> Void) {
    self.canFail = canFail
    self.end = end
  }

  /// Makes a run of its own, which `scope` calls off and which `hub` stands for.
  init(in scope: Cancellation, for hub: Waiter, _ end: @escaping (TaskResult<Any>) -> Void) {
    canFail = true
    self.end = end
    self.scope = scope
    waiter = hub
  }

  /// Begins `chain` on the calling thread, as a part of the run whose frame is on top, and goes on with it there as far as it gets.
  func start(_ chain: Chain) {
    home = ThreadContext.current.top
    goOn(with: .chain(chain))
  }

  /// Begins `chain` on the calling thread, which must not go on with it.
  func startElsewhere(_ chain: Chain) {
    ThreadContext.current.run(in: Frame(lane: nil, waiter: waiter, scope: scope)) {
      handOn()
      if let result = begin(chain) { resume(with: .result(result)) }
    }
  }

  func resume(with next: ChainStep.Next) {
    Workers.shared.submit(
      Job(on: nil, for: waiter, in: scope) { [self] in
        handOn()
        goOn(with: next)
      }, .quiet)
  }

  /// Notes that what is handed on from here, whoever waits for the run waits for.
  private func handOn() {
    if let top = ThreadContext.current.top { Frame.handOn(top, self) }
  }

  func noteSurroundings() -> (scope: Cancellation?, waiter: Waiter?) {
    if let home = home.take() {
      ThreadContext.current.watched?.come(to: .goesOn)
      scope = Frame.scope(of: home)
      waiter = Frame.waitForHandedOn(home) { ThreadContext.current.makeWaiter() }
    }
    return (innerScopes.last ?? scope, waiter)
  }

  /// Begins what `chain` begins with, leaving its steps for later; the outcome, if it is there.
  private func begin(_ chain: Chain) -> TaskResult<Any>? {
    var chain = chain
    while let source = chain.source {
      if case .step(let step) = chain.act { parts.append(.step(step)) }
      enter(chain.sourceCancellation)
      chain = source
    }
    guard case .begin(let begin) = chain.act else { fatalError("What has no source begins by itself.") }
    if canFail, isCancelled { return .failure(CancellableTaskError.taskWasCancelled) }
    return inScope { begin(self) }
  }

  /// Begins a source that `cancellation` calls off by itself, if anything does.
  private func enter(_ cancellation: Cancellation?) {
    guard let cancellation else { return }
    let scope = Cancellation(in: noteSurroundings().scope)
    scope.follow(cancellation, since: cancellation.mark)
    innerScopes.append(scope)
    parts.append(.endOfScope)
  }

  /// Runs `body` within the innermost source.
  private func inScope<R>(_ body: () -> R) -> R {
    guard let scope = innerScopes.last else { return body() }
    return ThreadContext.current.run(inside: scope, body)
  }

  private var isCancelled: Bool { innerScopes.last?.isCancelled ?? ThreadContext.current.isCancelled }

  /// Does what is left, beginning with `next`, as far as it gets on the calling thread.
  private func goOn(with next: ChainStep.Next) {
    guard var result = result(of: next) else { return }
    while let part = parts.popLast() {
      switch part {
      case .endOfScope: innerScopes.removeLast().end()
      case .step(let step) where !step.isFor(result): break
      case .step(let step) where step.occasion != .end && canFail && isCancelled:
        result = .failure(CancellableTaskError.taskWasCancelled)
      case .step(let step):
        guard let next = perform(step, on: result), let outcome = self.result(of: next) else { return }
        result = outcome
      }
    }
    end(result)
  }

  /// The result that `next` is, or that of what it begins, if that is there at once.
  private func result(of next: ChainStep.Next) -> TaskResult<Any>? {
    switch next {
    case .result(let result): result
    case .chain(let chain): begin(chain)
    }
  }

  /// Does `step`; `nil` if it is done on a queue, and the run goes on after that.
  private func perform(_ step: ChainStep, on result: TaskResult<Any>) -> ChainStep.Next? {
    let work = StepWork(task: (step, result))
    let isHeeding = canFail && step.occasion != .end
    return inScope {
      // A step is a part of the task that it is in, and no run of its own.
      work.beginUnwatched(at: StepWork.site, heeding: isHeeding, preparing: noteSurroundings) { [self] ending in
        guard case .outcome(let next) = ending else {
          return resume(with: .result(.failure(CancellableTaskError.taskWasCancelled)))
        }
        resume(with: next)
      }
    }
  }
}

/// A step of a chain as the runtime sees it.
private struct StepWork: Work {
  /// Nobody ever reads of it: a step returns what it results in.
  static let site = CallSite(#fileID, #line)

  typealias Subject = (step: ChainStep, result: TaskResult<Any>)

  let task: Subject

  var queue: DispatchQueue { task.step.queue }
  var origin: TaskOrigin? { nil }
  var cancellation: Cancellation? { nil }
  static var cancelled: ChainStep.Next? { nil }
  var settled: ChainStep.Next? { nil }

  static var onlyJoins: Bool { false }
  func join(_ completion: Completion<ChainStep.Next>, at site: CallSite) -> Bool { false }
  func runDirectly() -> ChainStep.Next? { task.step.act(task.result) }
  func start(_ completion: @escaping @Sendable (ChainStep.Next) -> Void) { completion(task.step.act(task.result)) }
  func lost(at site: CallSite) -> ChainStep.Next { fatalError("A step returns what it results in.") }
  var loss: any Error { fatalError("A step returns what it results in.") }
  static func failure(of outcome: ChainStep.Next) -> (any Error)? { nil }
}
