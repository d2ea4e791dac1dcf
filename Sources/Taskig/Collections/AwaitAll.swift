/// Runs tasks of different types at once, blocks until they are done and returns their results, each in its task's place.
///
/// ```swift
/// let (name, age) = awaitAll(Task { "Ada" }, Task { 36 })
/// ```
///
/// The same as `awaitAll` on a sequence in all else; all are in flight at once.
@available(
  *, noasync, message: "It would block a thread of Swift's pool. Await each task's `value` with `async let` instead."
)
@discardableResult
public func awaitAll<each T: TaskType>(
  _ task: repeat each T, file: StaticString = #fileID, line: UInt = #line
) -> (repeat (each T).ResultType) {
  var tasks: [Task<Any>] = []
  for task in repeat each task { tasks.append(erased(task)) }
  var results = tasks.awaitAll(concurrency: .max, file: file, line: line)[...]
  return (repeat takeResult(of: each task, from: &results))
}

/// Runs throwing tasks of different types at once, blocks until they are done and returns their values, each in its task's place.
///
/// ```swift
/// let (user, posts) = try awaitAll(userTask, postsTask)
/// ```
///
/// The same as `awaitAll` on a sequence in all else; all are in flight at once. Make a plain task a throwing one
/// (`throwableTask`) to await it together with others.
///
/// - Throws: The error of the task that failed first; `CancellableTaskError.taskWasCancelled` if the await was cancelled.
@available(
  *, noasync, message: "It would block a thread of Swift's pool. Await each task's `value` with `async let` instead."
)
@discardableResult
public func awaitAll<each T: ThrowableTaskType>(
  _ task: repeat each T, file: StaticString = #fileID, line: UInt = #line
) throws -> (repeat (each T).ResultType) {
  var tasks: [ThrowableTask<Any>] = []
  for task in repeat each task { tasks.append(erased(task)) }
  var values = try tasks.awaitAll(concurrency: .max, file: file, line: line)[...]
  return (repeat takeValue(of: each task, from: &values))
}

/// The same task with a result of no type, so that it fits into an array with others.
func erased<T: TaskType>(_ task: T) -> Task<Any> {
  Task(.of(task.link), from: .of(task) ?? .type(T.self))
}

func erased<T: ThrowableTaskType>(_ task: T) -> ThrowableTask<Any> {
  ThrowableTask(.of(task.link), from: .of(task) ?? .type(T.self))
}

/// The next of `results`, which is that of `task`.
func takeResult<T: TaskType>(of task: T, from results: inout ArraySlice<Any>) -> T.ResultType {
  known(results.removeFirst())
}

func takeValue<T: ThrowableTaskType>(of task: T, from values: inout ArraySlice<Any>) -> T.ResultType {
  known(values.removeFirst())
}
