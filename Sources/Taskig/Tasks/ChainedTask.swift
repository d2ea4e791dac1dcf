/// A task that may be a chain, which what follows it can be added to.
protocol ChainedTask {
  /// The chain that `task`, which is one of this type, is, if it is one.
  static func link<T>(of task: T) -> Chain.Link?
}

extension Task: ChainedTask {
  init(_ chain: Chain, from origin: TaskOrigin) {
    self.init(executionQueue: .taskDefault, origin: origin, body: .chained(chain))
  }

  static func link<Other>(of task: Other) -> Chain.Link? {
    guard case .chained(let chain) = sameType(task, as: Task.self).body else { return nil }
    return (chain, nil)
  }

  @usableFromInline
  static func run(_ chain: Chain, _ completion: @escaping (T) -> Void) {
    ChainRun(canFail: false) { result in
      guard case .success(let value) = result else { fatalError("A plain task has no failure.") }
      completion(known(value))
    }.start(chain)
  }
}

extension ThrowableTask: ChainedTask {
  init(_ chain: Chain, from origin: TaskOrigin) {
    self.init(executionQueue: .taskDefault, origin: origin, body: .chained(chain))
  }

  static func link<Other>(of task: Other) -> Chain.Link? {
    let task = sameType(task, as: ThrowableTask.self)
    guard case .chained(let chain) = task.body else { return nil }
    return (chain, task.cancellation)
  }

  @usableFromInline
  static func run(_ chain: Chain, _ completion: @escaping (TaskResult<T>) -> Void) {
    ChainRun(canFail: true) { completion($0.map(known)) }.start(chain)
  }
}

/// The chain that `task` is, if it is one.
func chainLink<T>(of task: T) -> Chain.Link? { (T.self as? any ChainedTask.Type)?.link(of: task) }

extension TaskType {
  /// The task as something that steps can follow.
  var link: Chain.Link { chainLink(of: self) ?? (Chain(PlainWork(task: self)) { .success($0) }, nil) }
}

extension ThrowableTaskType {
  /// The task as something that steps can follow.
  var link: Chain.Link { chainLink(of: self) ?? (Chain(ThrowingWork(task: self)) { $0.map { $0 } }, nil) }
}

extension Chain {
  /// A chain of one task.
  fileprivate convenience init<W: Work>(_ work: W, _ erase: @escaping (W.Outcome) -> TaskResult<Any>) {
    let site = work.placeOfTask
    self.init { run in
      work.begin(at: site, heeding: run.canFail, preparing: run.noteSurroundings) { ending in
        run.resume(with: .result(run.result(of: work, ending, at: site, erase)))
      }.map(erase)
    }
  }
}

extension Work {
  /// Where the task was made; a line of Taskig's if that is not known.
  var placeOfTask: CallSite { origin?.site ?? CallSite(#fileID, #line) }
}

extension ChainHost {
  /// What `work` that is a part of this run results in.
  func result<W: Work>(
    of work: W, _ ending: Ending<W.Outcome>, at site: CallSite, _ erase: (W.Outcome) -> TaskResult<Any>
  ) -> TaskResult<Any> {
    switch ending {
    case .outcome(let outcome): erase(outcome)
    case .interrupted: .failure(CancellableTaskError.taskWasCancelled)
    case .lost where canFail && noteSurroundings().scope?.isCancelled == true:
      .failure(CancellableTaskError.taskWasCancelled)
    // A plain task that is a part of something that can fail has an error to end with.
    case .lost where canFail: .failure(TaskigError.neverCompleted(task: work.name))
    case .lost: erase(work.lost(at: site))
    }
  }
}

/// A value whose type the caller knows, and the compiler does not.
func known<Value>(_ value: Any) -> Value {
  guard let value = value as? Value else { fatalError("The value is not of the type \(Value.self).") }
  return value
}
