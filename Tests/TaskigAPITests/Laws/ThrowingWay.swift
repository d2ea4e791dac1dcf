import Foundation
import Taskig

/// Every way to run a throwing task.
enum ThrowingWay: String, Way, CaseIterable {
  case await
  case awaitAsExistential
  case awaitInsideTask
  case awaitInsideTaskOnItsQueue
  case awaitResult
  case async
  case asyncDelayed
  case awaitAll
  case awaitAllOfThree
  case awaitAllResults
  case awaitAllResultsOfThree
  case awaitAllResultsOneByOne
  case awaitFirst
  case awaitFirstOfTwo
  case awaitFirstResult
  case dictionaryAwaitAll
  case dictionaryAwaitAllResultsOfTwo
  case dictionaryAwaitFirst
  case dictionaryAwaitFirstResult
  case value
  case result
  case asCompleted
  case resultsAsCompletedOfThree
  case awaitInRunLoop
  case awaitInRunLoopInTime

  var name: String { rawValue }

  var runs: ClosedRange<Int> {
    switch self {
    case .awaitAllOfThree: 1...3
    case .awaitAllResultsOfThree, .awaitAllResultsOneByOne, .resultsAsCompletedOfThree: 3...3
    case .awaitFirstOfTwo: 1...2
    case .dictionaryAwaitAllResultsOfTwo: 2...2
    default: 1...1
    }
  }

  /// Runs `task`, and returns what it ended with, once for each outcome that it got.
  func call<T: ThrowableTaskType & SendableMetatype>(_ task: T) -> [String] {
    switch self {
    case .await: [ending(Result { try task.await() })]
    case .awaitAsExistential: [ending(Result { try (task as any ThrowableTaskType).await() })]
    case .awaitInsideTask:
      [ending(ThrowableTask { [task = Carrier(task)] in try task.value.await() }.awaitResult())]
    case .awaitInsideTaskOnItsQueue:
      [
        ending(
          ThrowableTask(executionQueue: task.executionQueue) { [task = Carrier(task)] in
            try task.value.await()
          }.awaitResult())
      ]
    case .awaitResult: [ending(task.awaitResult())]
    case .async: [caught { done in task.async { done(ending($0)) } }]
    case .asyncDelayed: [caught { done in task.async(delayBy: 0.001) { done(ending($0)) } }]
    case .awaitAll: endings(Result { try [task].awaitAll() })
    case .awaitAllOfThree: endings(Result { try [task, task, task].awaitAll() })
    case .awaitAllResults: [task].awaitAllResults().map(ending)
    case .awaitAllResultsOfThree: [task, task, task].awaitAllResults().map(ending)
    case .awaitAllResultsOneByOne: [task, task, task].awaitAllResults(concurrency: 1).map(ending)
    case .awaitFirst: [ending(Result { try [task].awaitFirst() })]
    case .awaitFirstOfTwo: [ending(Result { try [task, task].awaitFirst() })]
    case .awaitFirstResult: [ending([task].awaitFirstResult())]
    case .dictionaryAwaitAll: endings(Result { try ["key": task].awaitAll().map(\.value) })
    case .dictionaryAwaitAllResultsOfTwo: [1: task, 2: task].awaitAllResults().map { ending($0.value) }
    case .dictionaryAwaitFirst: [ending(Result { try ["key": task].awaitFirst() })]
    case .dictionaryAwaitFirstResult: [ending(["key": task].awaitFirstResult())]
    case .value:
      [ending(TaskResult { try ThrowableTask.awaitAsync { [task = Carrier(task)] in try await task.value.value } })]
    case .result: [Task.awaitAsync { [task = Carrier(task)] in ending(await task.value.result) }]
    case .asCompleted: loopEndings([task].asCompleted())
    case .resultsAsCompletedOfThree: loopEndings([task, task, task].resultsAsCompleted(concurrency: 2))
    case .awaitInRunLoop: [ending(Result { try task.awaitInRunLoop() })]
    case .awaitInRunLoopInTime: [ending(Result { try task.awaitInRunLoop(timeout: .seconds(60)) })]
    }
  }

  /// What the loop over the tasks gives or throws, in `async` code that the caller waits for.
  private func loopEndings<Value>(_ sequence: TasksAsCompleted<Value, any Error>) -> [String] {
    Task.awaitAsync { [sequence = Carrier(sequence)] in
      var endings: [String] = []
      do {
        for try await value in sequence.value { endings.append(ending(value)) }
      } catch { endings.append("error \(error)") }
      return endings
    }
  }

  private func loopEndings<Value>(
    _ sequence: TasksAsCompleted<(index: Int, result: TaskResult<Value>), Never>
  ) -> [String] {
    Task.awaitAsync { [sequence = Carrier(sequence)] in
      var endings: [String] = []
      for await (_, result) in sequence.value { endings.append(ending(result)) }
      return endings
    }
  }
}
