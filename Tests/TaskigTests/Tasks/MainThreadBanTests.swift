import Dispatch
import Foundation
import Testing

@testable import Taskig

/// `TaskigSettings.forbidsBlockingMainThread`, in processes of their own.
struct MainThreadBanTests {
  @Test func `elsewhere and without the ban it is an await like any other`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      TaskigSettings.forbidsBlockingMainThread = true
      Task<Void>.async {
        // A task of the main queue may run there: it is an await that may not.
        let onMain = Task<Bool>(executionQueue: .main) {
          dispatchPrecondition(condition: .onQueue(.main))
          return true
        }.await()
        let all = [Task<Int> { 1 }, Task<Int>(executionQueue: .main) { 2 }].awaitAll()
        exit(onMain && all == [1, 2] ? 3 : 4)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    await #expect(processExitsWith: .exitCode(3)) {
      TaskigSettings.forbidsBlockingMainThread = true
      DispatchQueue.main.async {
        Task<Int> { 1 }.async { exit($0 == 1 ? 3 : 4) }
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    await #expect(processExitsWith: .exitCode(3)) {
      TaskigSettings.forbidsBlockingMainThread = true
      TaskigSettings.forbidsBlockingMainThread = false
      DispatchQueue.main.async { exit(Task<Int> { 3 }.await() == 3 ? 3 : 4) }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }
}
