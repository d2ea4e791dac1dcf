import Dispatch
import Foundation
import Testing

@testable import Taskig

/// Loops over tasks as they are done: order, limits and where things run.
struct AsCompletedTests {
  @Test func `results come in the order in which the tasks are done`() throws {
    try withDeadline { () throws in
      let held = (0..<4).map { _ in Held<Int>() }
      let seen = Steps<Int>()
      let loop = AsyncAside {
        do {
          for try await value in held.map({ $0.task() }).asCompleted() { seen.note(value) }
        } catch { return false }
        return true
      }
      for (place, i) in [2, 0, 3, 1].enumerated() {
        #expect(held[i].hasBegun())
        held[i].release(.success(i))
        #expect(eventually { seen.all.count == place + 1 })
      }
      #expect(loop.result() == true && seen.all == [2, 0, 3, 1])
    }
  }

  @Test func `results that come while the loop is busy come in their order, each once`() throws {
    try withDeadline { () throws in
      let (held, gate) = ((0..<5).map { _ in Held<Int>() }, AsyncGate())
      let loop = AsyncAside {
        var found: [[Int]] = []
        for await (index, result) in held.map({ $0.task() }).resultsAsCompleted() {
          found.append([index, (try? result.get()) ?? -1])
          if found.count == 1 { await gate.pass() }
        }
        return found
      }
      for i in [3, 1, 4, 0, 2] {
        #expect(held[i].hasBegun())
        if i == 4 { held[i].release(.failure(Failed())) } else { held[i].release(.success(10 * i)) }
      }
      gate.open()
      #expect(loop.result() == [[3, 30], [1, 10], [4, -1], [0, 0], [2, 20]])
    }
  }

  @Test func `exactly as many as allowed are in flight`() throws {
    try withDeadline { () throws in
      for limit in [1, 3, 7] {
        let held = Held<Int>()
        let seen = Counter()
        let loop = AsyncAside {
          for await _ in (0..<20).map({ _ in held.task() }).resultsAsCompleted(concurrency: limit) { seen.increment() }
          return true
        }
        var done = 0
        while done < 20 {
          let inFlight = min(limit, 20 - done)
          #expect(held.hasBegun(done + inFlight))
          #expect(held.count == done + inFlight)
          held.release(.success(1))
          done += inFlight
          #expect(eventually { seen.value == done })
        }
        #expect(loop.result() == true)
      }
    }
  }

  @Test func `nothing begins before the first result is asked for`() throws {
    try withDeadline { () throws in
      let runs = Counter()
      let (made, gate) = (Gate(), AsyncGate())
      let loop = AsyncAside {
        let sequence = (0..<3).map { _ in Task { runs.increment() } }.asCompleted()
        var iterator = sequence.makeAsyncIterator()
        made.open()
        await gate.pass()
        return await iterator.next() != nil
      }
      #expect(made.pass())
      // Long enough for what wrongly begins.
      Thread.sleep(forTimeInterval: 0.02)
      #expect(runs.value == 0)
      gate.open()
      #expect(loop.result() == true)
    }
  }

  @Test func `a slow loop slows the tasks down`() throws {
    try withDeadline { () throws in
      let runs = Counter()
      let (busy, gate) = (Gate(), AsyncGate())
      let loop = AsyncAside {
        var seen = 0
        for await _ in (0..<20).map({ _ in Task { runs.increment() } }).asCompleted(concurrency: 3) {
          seen += 1
          if seen == 2 {
            busy.open()
            await gate.pass()
          }
        }
        return seen
      }
      #expect(busy.pass())
      // One has been taken, and then three more may be at hand or on their way, one of which is the second.
      #expect(eventually { runs.value == 4 })
      // Long enough for what wrongly begins.
      Thread.sleep(forTimeInterval: 0.02)
      #expect(runs.value == 4)
      gate.open()
      #expect(loop.result() == 20 && runs.value == 20)
    }
  }

  @Test func `tasks run on their queues, and block nobody`() throws {
    try withDeadline { () throws in
      let own = (0..<3).map { NamedQueue("own \($0)") }
      let meeting = Meeting(of: 30)
      let names = AsyncAside {
        var names: [String?] = []
        for await name in own.map({ queue in Task(executionQueue: queue.queue) { queue.nameHere() } }).asCompleted() {
          names.append(name)
        }
        var met = 0
        for await isThere in (0..<30).map({ _ in Task { meeting.join() } }).asCompleted() where isThere { met += 1 }
        return names.compactMap { $0 }.sorted() + ["\(met)"]
      }
      #expect(names.result() == ["own 0", "own 1", "own 2", "30"])
    }
  }

  @Test func `tasks of one serial queue run one at a time`() throws {
    try withDeadline { () throws in
      let (running, queue) = (Counter(), DispatchQueue(label: "own"))
      let count = AsyncAside {
        let tasks = (0..<50).map { i in
          Task(executionQueue: queue) {
            running.increment()
            defer { running.decrement() }
            return i
          }
        }
        var seen: [Int] = []
        for await i in tasks.asCompleted() { seen.append(i) }
        return seen
      }
      #expect(count.result() == Array(0..<50))
      #expect(running.peak == 1)
    }
  }

  @Test func `there may be no tasks, and each iteration runs them anew`() throws {
    try withDeadline { () throws in
      let runs = Counter()
      let counts = AsyncAside { () -> [Int] in
        var counts = [0, 0, 0]
        for await _ in [Task<Int>]().asCompleted() { counts[0] += 1 }
        let sequence = (0..<5).map { _ in Task { runs.increment() } }.asCompleted(concurrency: 2)
        for await _ in sequence { counts[1] += 1 }
        for await _ in sequence { counts[2] += 1 }
        // Beside one another.
        var (one, two) = (sequence.makeAsyncIterator(), sequence.makeAsyncIterator())
        var both = 0
        for _ in 0..<6 {
          if await one.next() != nil { both += 1 }
          if await two.next() != nil { both += 1 }
        }
        return counts + [both]
      }
      #expect(counts.result() == [0, 5, 5, 10])
      #expect(runs.value == 20)
    }
  }

  @Test func `there is nothing more after the end`() throws {
    try withDeadline { () throws in
      let isOver = AsyncAside {
        var iterator = [Task { 1 }].asCompleted().makeAsyncIterator()
        let first = await iterator.next()
        let (second, third) = (await iterator.next(), await iterator.next())
        return first == 1 && second == nil && third == nil
      }
      #expect(isOver.result() == true)
    }
  }

  @Test func `many cheap tasks are no trouble`() throws {
    try withDeadline(120) { () throws in
      let count = Machine.depth(100_000)
      let sum = AsyncAside {
        var sum = 0
        for await value in (0..<count).map({ _ in Task { 1 } }).asCompleted() { sum += value }
        return sum
      }
      #expect(sum.result(within: 100) == count)
    }
  }

  @Test func `no limit is no limit`() throws {
    try withDeadline { () throws in
      let held = Held<Int>()
      let sum = AsyncAside {
        var sum = 0
        for await (_, result) in (0..<500).map({ _ in held.task() }).resultsAsCompleted(concurrency: .max) {
          sum += (try? result.get()) ?? 0
        }
        return sum
      }
      #expect(held.hasBegun(500))
      held.release(.success(1))
      #expect(sum.result() == 500)
    }
  }

  @Test func `a concurrency of zero or less traps`() async {
    let result = await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
      _ = [Task { 1 }].asCompleted(concurrency: 0)
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("The concurrency is 0.") && said.contains("AsCompletedTests.swift"), "\(said)")
    await #expect(processExitsWith: .signal(SIGILL)) { _ = [ThrowableTask<Int>]().asCompleted(concurrency: -1) }
    await #expect(processExitsWith: .signal(SIGILL)) { _ = [ThrowableTask { 1 }].resultsAsCompleted(concurrency: .min) }
  }

  @Test func `the loop can run on the main actor`() async {
    await #expect(processExitsWith: .exitCode(3)) { @MainActor in
      exitLate()
      var sum = 0
      for await value in (0..<10).map({ i in Task(executionQueue: .main) { isOnMain() ? i : -1 } }).asCompleted() {
        MainActor.assertIsolated()
        sum += value
      }
      exit(sum == 45 ? 3 : 4)
    }
  }
}
