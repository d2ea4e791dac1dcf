import Foundation
import Taskig

/// Every way to run a plain task.
enum PlainWay: String, Way, CaseIterable {
  case await
  case awaitAsExistential
  case awaitInsideTask
  case awaitInsideTaskOnItsQueue
  case async
  case asyncDelayed
  case awaitAll
  case awaitAllOfThree
  case awaitAllOneByOne
  case awaitAllOfLazySequence
  case awaitFirst
  case awaitFirstOfTwo
  case dictionaryAwaitAll
  case dictionaryAwaitAllOfTwo
  case dictionaryAwaitFirst
  case throwableTask
  case throwableTasks
  case dictionaryThrowableTasks
  case value
  case valueOfThrowableTask
  case asCompleted
  case asCompletedOfThree
  case awaitInRunLoop
  case awaitInRunLoopInTime

  var name: String { rawValue }

  var runs: ClosedRange<Int> {
    switch self {
    case .awaitAllOfThree, .awaitAllOneByOne, .awaitAllOfLazySequence, .asCompletedOfThree: 3...3
    case .awaitFirstOfTwo: 1...2
    case .dictionaryAwaitAllOfTwo: 2...2
    default: 1...1
    }
  }

  /// Runs `task`, and returns what it ended with, once for each result that it got.
  func call<T: TaskType & SendableMetatype>(_ task: T) -> [String] {
    switch self {
    case .await: [ending(task.await())]
    case .awaitAsExistential: [ending((task as any TaskType).await())]
    case .awaitInsideTask: [Task { [task = Carrier(task)] in ending(task.value.await()) }.await()]
    case .awaitInsideTaskOnItsQueue:
      [Task(executionQueue: task.executionQueue) { [task = Carrier(task)] in ending(task.value.await()) }.await()]
    case .async: [caught { done in task.async { done(ending($0)) } }]
    case .asyncDelayed: [caught { done in task.async(delayBy: 0.001) { done(ending($0)) } }]
    case .awaitAll: [task].awaitAll().map(ending)
    case .awaitAllOfThree: [task, task, task].awaitAll().map(ending)
    case .awaitAllOneByOne: [task, task, task].awaitAll(concurrency: 1).map(ending)
    case .awaitAllOfLazySequence: (1...3).lazy.map { _ in task }.awaitAll().map(ending)
    case .awaitFirst: [ending([task].awaitFirst())]
    case .awaitFirstOfTwo: [ending([task, task].awaitFirst())]
    case .dictionaryAwaitAll: ["key": task].awaitAll().map { ending($0.value) }
    case .dictionaryAwaitAllOfTwo: [1: task, 2: task].awaitAll().map { ending($0.value) }
    case .dictionaryAwaitFirst: [ending(["key": task].awaitFirst())]
    case .throwableTask: [ending(task.throwableTask.awaitResult())]
    case .throwableTasks: [task].throwableTasks.awaitAllResults().map(ending)
    case .dictionaryThrowableTasks: ["key": task].throwableTasks.awaitAllResults().map { ending($0.value) }
    case .value: [Task.awaitAsync { [task = Carrier(task)] in ending(await task.value.value) }]
    case .valueOfThrowableTask:
      [Task.awaitAsync { [task = Carrier(task)] in ending(await task.value.throwableTask.result) }]
    case .asCompleted: loopEndings([task].asCompleted())
    case .asCompletedOfThree: loopEndings([task, task, task].asCompleted(concurrency: 2))
    case .awaitInRunLoop: [ending(task.awaitInRunLoop())]
    case .awaitInRunLoopInTime: task.awaitInRunLoop(timeout: .seconds(60)).map { [ending($0)] } ?? ["no value in time"]
    }
  }

  /// What the loop over the tasks gives, in `async` code that the caller waits for.
  private func loopEndings<Value>(_ sequence: TasksAsCompleted<Value, Never>) -> [String] {
    Task.awaitAsync { [sequence = Carrier(sequence)] in
      var endings: [String] = []
      for await value in sequence.value { endings.append(ending(value)) }
      return endings
    }
  }
}
