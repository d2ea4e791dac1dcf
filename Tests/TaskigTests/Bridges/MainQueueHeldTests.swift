import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Blocks of the main queue that wait for async code, in processes of their own.
struct MainQueueHeldTests {
  @MainActor private static func hop() -> Int { 1 }

  /// Waits, in a block of the main queue, for code that needs the next one; returns the line in which it does.
  private static func holdMainQueue() -> UInt {
    DispatchQueue.main.async { _ = Task.awaitAsync { await hop() } }
    return #line - 1
  }

  @Test func `a block of the main queue that waits for code of the main actor is reported`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      let reports = Steps<String>()
      TaskigSettings.reportHandler = { report in
        guard case .mainQueueHeld(let file, let line) = report else { exit(4) }
        reports.note("\(file):\(line)")
      }
      let line = Self.holdMainQueue()
      let isReported = eventually { !reports.all.isEmpty }
      exit(isReported && reports.all == ["TaskigTests/MainQueueHeldTests.swift:\(line)"] ? 3 : 5)
    }
  }

  @Test func `so is code of the main actor that waits through another task`() async {
    let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
      // The report comes after a second, or some more on a busy machine, and nothing after it.
      DispatchQueue.global().asyncAfter(deadline: .now() + Machine.patience(10)) { exit(3) }
      await MainActor.run {
        _ = blocking {
          Task(executionQueue: DispatchQueue(label: "own")) { Task.awaitAsync { await Self.hop() } }.await()
        }
      }
      exit(4)
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("main actor") && said.contains("MainQueueHeldTests.swift:"), "\(said)")
    #expect(said.components(separatedBy: "MainQueueHeldTests.swift:").count == 2, "it is said once: \(said)")
  }

  @Test func `there is no report if the code does not need the main actor, or does only later`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      let begin = ContinuousClock.now
      let reports = Counter()
      TaskigSettings.reportHandler = { _ in reports.increment() }
      DispatchQueue.main.async {
        let value = Task.awaitAsync { () -> Int in
          try? await _Concurrency.Task.sleep(for: .milliseconds(100))
          return 1
        }
        // A task of the main queue is lent the thread, here too.
        let onMain = Task.awaitAsync { blocking { Task(executionQueue: .main) { isOnMain() }.await() } }
        guard value == 1, onMain else { exit(4) }
        // Where the machine is so busy that the code takes a second, it is right to come.
        exit(reports.value == 0 || ContinuousClock.now - begin >= .seconds(1) ? 3 : 5)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `other threads wait for code of the main actor without further ado`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      TaskigSettings.reportHandler = { _ in exit(5) }
      Task.async {
        let sum = (0..<10).map { _ in Task.fromAsync { await Self.hop() } }.awaitAll().reduce(0, +)
        exit(sum == 10 ? 3 : 4)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `there is none before a second has gone by, however much is done meanwhile`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      let begin = ContinuousClock.now
      TaskigSettings.reportHandler = { _ in exit(ContinuousClock.now - begin < .milliseconds(900) ? 5 : 3) }
      DispatchQueue.main.async {
        let slow = Task.fromAsync { _ = try? await _Concurrency.Task.sleep(for: .milliseconds(500)) }
        // Each of which has the thread look around once.
        let quick = (0..<1_000).map { _ in Task.fromAsync { await _Concurrency.Task.yield() } }
        ([slow] + quick).awaitAll(concurrency: 50)
        exit(3)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }

  @Test func `a block that waits for async code does not count as one that needs more`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      exitLate()
      DispatchQueue.main.async {
        let code = Task.fromAsync { await _Concurrency.Task.yield() }
        for _ in 0..<200 { code.await() }
        exit(3)
      }
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }
}
