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
    ChainRun(heeding: false) { result in
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
    ChainRun(heeding: true) { completion($0.map(known)) }.start(chain)
  }
}

extension TaskType {
  /// The task as something that steps can follow.
  var link: Chain.Link {
    if let type = Self.self as? any ChainedTask.Type, let link = type.link(of: self) { return link }
    return (Chain(PlainWork(task: self)) { .success($0) }, nil)
  }
}

extension ThrowableTaskType {
  /// The task as something that steps can follow.
  var link: Chain.Link {
    if let type = Self.self as? any ChainedTask.Type, let link = type.link(of: self) { return link }
    return (Chain(ThrowingWork(task: self)) { $0.map { $0 } }, nil)
  }
}

extension Chain {
  /// A chain of one task.
  fileprivate convenience init<W: Work>(_ work: W, _ erase: @escaping (W.Outcome) -> TaskResult<Any>) {
    let site = work.origin?.site ?? CallSite(#fileID, #line)
    self.init { run in
      work.begin(at: site, heeding: run.isHeeding, preparing: run.prepare) { ending in
        let outcome = ending.isInterruption ? nil : work.resolve(ending, at: site)
        run.resume(with: .result(outcome.map(erase) ?? .failure(CancellableTaskError.taskWasCancelled)))
      }.map(erase)
    }
  }
}

/// A value whose type the caller knows, and the compiler does not.
func known<Value>(_ value: Any) -> Value {
  guard let value = value as? Value else { fatalError("The value is not of the type \(Value.self).") }
  return value
}
