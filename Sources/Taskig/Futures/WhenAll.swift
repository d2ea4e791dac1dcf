extension Sequence where Element: TaskType {
  /// The task of running all tasks, which results in their results, in the order of the sequence.
  ///
  /// It is `awaitAll` as a task, which holds no thread while it waits. At most `concurrency` actions are in flight at once: 1 or
  /// more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  public func whenAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> Task<[Element.ResultType]> {
    let site = CallSite(file, line)
    let all = Collective<PlainWork<Element>>(self)
    return Task(all.chain(limit: concurrency, at: site) { .success($0.outcomes.all) }, from: .place(site))
  }

  /// The task of running the tasks until the first is done, which results in what that does.
  ///
  /// It is `awaitFirst` as a task, which holds no thread while it waits. At most `concurrency` actions are in flight at once: 1 or
  /// more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap, and so does an empty sequence.
  public func whenAny(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> Task<Element.ResultType> {
    let site = CallSite(file, line)
    let all = Collective<PlainWork<Element>>(self)
    requireFirst(all.tasks.isEmpty, at: site)
    let chain = all.chain(
      limit: concurrency, at: site, leaving: true, until: { _ in true },
      // The sequence is not empty, so one of them is the first.
      result: { .success($0.outcomes.ending.unsafelyUnwrapped) })
    return Task(chain, from: .place(site))
  }
}

// Disfavoured, since shared tasks are throwing tasks too, and the compiler would take these for them, which gives a cold task.
extension Sequence where Element: ThrowableTaskType {
  /// The task of running all tasks, which results in their values, in the order of the sequence, or in the first failure.
  ///
  /// It is `awaitAll` as a task, which holds no thread while it waits: after the first failure no more actions start, and those in
  /// flight are cancelled and waited for. At most `concurrency` actions are in flight at once: 1 or more, 50 unless you say
  /// otherwise, `Int.max` for no limit; zero and less trap.
  @_disfavoredOverload
  public func whenAll(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<[Element.ResultType]> {
    let site = CallSite(file, line)
    return ThrowableTask(chainOfAll(limit: concurrency, at: site), from: .place(site))
  }

  /// The task of running all tasks, which results in what each ended with, in the order of the sequence.
  ///
  /// It is `awaitAllResults` as a task, which holds no thread while it waits: a failure stops nothing. At most `concurrency` actions
  /// are in flight at once: 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap.
  @_disfavoredOverload
  public func whenAllResults(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<[TaskResult<Element.ResultType>]> {
    let site = CallSite(file, line)
    return ThrowableTask(chainOfAllResults(limit: concurrency, at: site), from: .place(site))
  }

  /// The task of running the tasks until the first is done, which results in its value or its error.
  ///
  /// It is `awaitFirst` as a task, which holds no thread while it waits; the others are cancelled then. At most `concurrency`
  /// actions are in flight at once: 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap. Of an empty
  /// sequence it fails with ``TaskigError/emptySequence``.
  @_disfavoredOverload
  public func whenAny(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<Element.ResultType> {
    let site = CallSite(file, line)
    return ThrowableTask(chainOfFirst(limit: concurrency, at: site), from: .place(site))
  }

  /// The task of running the tasks until the first has succeeded, which results in its value.
  ///
  /// It is `awaitFirstSuccess` as a task, which holds no thread while it waits; the others are cancelled then. At most `concurrency`
  /// actions are in flight at once: 1 or more, 50 unless you say otherwise, `Int.max` for no limit; zero and less trap. If all fail,
  /// it fails with an ``AggregateError`` of all errors; of an empty sequence, with ``TaskigError/emptySequence``.
  @_disfavoredOverload
  public func whenAnySuccess(
    concurrency: Int = defaultConcurrency, file: StaticString = #fileID, line: UInt = #line
  ) -> ThrowableTask<Element.ResultType> {
    let site = CallSite(file, line)
    return ThrowableTask(chainOfFirstSuccess(limit: concurrency, at: site), from: .place(site))
  }

  fileprivate func chainOfAll(limit: Int, at site: CallSite) -> Chain {
    Collective<ThrowingWork<Element>>(self)
      .chain(limit: limit, at: site, until: \.isFailure) { end in TaskResult { try end.values() } }
  }

  fileprivate func chainOfAllResults(limit: Int, at site: CallSite) -> Chain {
    Collective<ThrowingWork<Element>>(self).chain(limit: limit, at: site) { .success($0.results()) }
  }

  fileprivate func chainOfFirst(limit: Int, at site: CallSite) -> Chain {
    Collective<ThrowingWork<Element>>(self)
      .chain(limit: limit, at: site, leaving: true, until: { _ in true }, result: { $0.first().map { $0 } })
  }

  fileprivate func chainOfFirstSuccess(limit: Int, at site: CallSite) -> Chain {
    Collective<ThrowingWork<Element>>(self)
      .chain(limit: limit, at: site, leaving: true, until: { !$0.isFailure }, result: { $0.firstSuccess().map { $0 } })
  }
}

/// Shared tasks run whether or not anybody waits for them, and so are what waits for several of them. Cancelling that cancels them
/// all; that one of them has failed, or is the first, does not.
extension Sequence {
  /// A shared task that has the values of all, in the order of the sequence, when all have succeeded, or the first failure when
  /// there is one.
  public func whenAll<T>(file: StaticString = #fileID, line: UInt = #line) -> SharedTask<[T]>
  where Element == SharedTask<T> {
    // Once: a sequence may make its tasks anew each time, or only once.
    let (tasks, site) = (Array(self), CallSite(file, line))
    return SharedTask(tasks.chainOfAll(limit: .max, at: site), after: tasks, at: site)
  }

  /// A shared task that has what each of them ended with, in the order of the sequence, when all have.
  public func whenAllResults<T>(file: StaticString = #fileID, line: UInt = #line) -> SharedTask<[TaskResult<T>]>
  where Element == SharedTask<T> {
    let (tasks, site) = (Array(self), CallSite(file, line))
    return SharedTask(tasks.chainOfAllResults(limit: .max, at: site), after: tasks, at: site)
  }

  /// A shared task that ends as the first of them does; of none, it fails with ``TaskigError/emptySequence``.
  public func whenAny<T>(file: StaticString = #fileID, line: UInt = #line) -> SharedTask<T>
  where Element == SharedTask<T> {
    let (tasks, site) = (Array(self), CallSite(file, line))
    return SharedTask(tasks.chainOfFirst(limit: .max, at: site), after: tasks, at: site)
  }

  /// A shared task that has the value of the first of them that succeeds, or, if all fail, an ``AggregateError`` of all errors; of
  /// none, it fails with ``TaskigError/emptySequence``.
  public func whenAnySuccess<T>(file: StaticString = #fileID, line: UInt = #line) -> SharedTask<T>
  where Element == SharedTask<T> {
    let (tasks, site) = (Array(self), CallSite(file, line))
    return SharedTask(tasks.chainOfFirstSuccess(limit: .max, at: site), after: tasks, at: site)
  }

  /// The values of all, in order, if each is a success.
  ///
  /// What is awaited with `awaitAllResults` or `whenAllResults` can so be made to fail with all errors, and not with the first.
  ///
  /// - Throws: An ``AggregateError`` with each error under its index, if there are any.
  public func values<T>() throws -> [T] where Element == TaskResult<T> {
    let results = Array(self)
    let errors = results.enumerated().compactMap { index, result in result.error.map { (index, $0) } }
    guard errors.isEmpty else { throw AggregateError(errors: [Int: any Error](uniqueKeysWithValues: errors)) }
    return try results.map { try $0.get() }
  }
}

extension SharedTask {
  /// A shared task that runs `chain`, which waits for `sources`.
  fileprivate convenience init<Source>(_ chain: Chain, after sources: [SharedTask<Source>], at site: CallSite) {
    self.init(chain, callingOff: sources.map(\.cancellation), from: .place(site))
  }
}
