import Dispatch
import Foundation
import Testing

@testable import Taskig

/// `TaskigSettings.forbidsBlockingMainThread`, in processes of their own.
struct MainThreadBanTests {
  @Test func `an await on the main thread traps where that is forbidden`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      TaskigSettings.forbidsBlockingMainThread = true
      DispatchQueue.main.async { _ = Task<Int> { 1 }.await() }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("forbidsBlockingMainThread") && said.contains("MainThreadBanTests.swift"))
    await #expect(processExitsWith: .signal(SIGILL)) {
      TaskigSettings.forbidsBlockingMainThread = true
      DispatchQueue.main.async { _ = [ThrowableTask<Int> { 1 }].awaitAllResults() }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    await #expect(processExitsWith: .signal(SIGILL)) {
      TaskigSettings.forbidsBlockingMainThread = true
      DispatchQueue.main.async { _ = Task<Int>(executionQueue: .utility) { 1 }.await(timeout: .seconds(60)) }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    await #expect(processExitsWith: .signal(SIGILL)) {
      TaskigSettings.forbidsBlockingMainThread = true
      DispatchQueue.main.async { _ = [Task<Int> { 1 }].awaitFirst() }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    await #expect(processExitsWith: .signal(SIGILL)) {
      TaskigSettings.forbidsBlockingMainThread = true
      DispatchQueue.main.async { [Task<Int>]().awaitAll() }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    await #expect(processExitsWith: .signal(SIGILL)) {
      TaskigSettings.forbidsBlockingMainThread = true
      DispatchQueue.main.async { try? Task.sleep(for: .milliseconds(1)) }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    await #expect(processExitsWith: .signal(SIGILL)) {
      TaskigSettings.forbidsBlockingMainThread = true
      DispatchQueue.main.async { Task<Void>(executionQueue: .main) { Task<Int> { 1 }.await() }.async() }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

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
