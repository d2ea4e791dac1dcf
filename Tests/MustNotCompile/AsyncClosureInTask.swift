// error: AsyncClosureInTask.swift:10:8: error: cannot pass function of type '@Sendable () async -> Int'
// error: AsyncClosureInTask.swift:11:17: error: cannot pass function of type '@Sendable () async throws -> Int'
// error: AsyncClosureInTask.swift:12:14: error: cannot pass function of type '@Sendable () async -> ()'
// error: AsyncClosureInTask.swift:13:14: error: cannot pass function of type '@Sendable () async -> Int'
import Taskig

func number() async -> Int { 1 }

func run() {
  Task { await number() }
  ThrowableTask { try await number() }
  Task.async { _ = await number() }
  Task.await { await number() }
}
