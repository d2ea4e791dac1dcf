// error: BridgesInAsyncFunction.swift:9:8: error: static method 'awaitAsync' is unavailable from asynchronous contexts
// error: BridgesInAsyncFunction.swift:10:26: error: static method 'awaitAsync' is unavailable from asynchronous contexts
// error: BridgesInAsyncFunction.swift:11:14: error: instance method 'awaitInRunLoop' is unavailable from asynchronous contexts
// error: BridgesInAsyncFunction.swift:12:27: error: instance method 'awaitInRunLoop' is unavailable from asynchronous contexts
// error: BridgesInAsyncFunction.swift:13:12: error: static method 'awaitInRunLoop' is unavailable from asynchronous contexts
import Taskig

func asynchronous() async throws {
  Task.awaitAsync { 1 }
  try ThrowableTask<Int>.awaitAsync { throw CancellationError() }
  Task { 1 }.awaitInRunLoop()
  try ThrowableTask { 1 }.awaitInRunLoop()
  try Task.awaitInRunLoop(until: { true })
}
