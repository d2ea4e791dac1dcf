import Dispatch
import Foundation
import Testing

@testable import Taskig

struct QueueTests {
  @Test func `a task that names a queue runs on it in every entry point`() throws {
    try withDeadline { () throws in
      let own = NamedQueue("own")
      let task = Task(executionQueue: own.queue) { own.nameHere() }
      let throwing = ThrowableTask(executionQueue: own.queue) { own.nameHere() }
      let expected: String? = "own"

      #expect(task.await() == expected)
      #expect(try throwing.await() == expected)
      #expect(try throwing.awaitResult().get() == expected)
      #expect(Task.await(executionQueue: own.queue) { own.nameHere() } == expected)
      #expect(try ThrowableTask.await(executionQueue: own.queue) { own.nameHere() } == expected)
      #expect([task, task].awaitAll() == [expected, expected])
      #expect([task, task].awaitFirst() == expected)
      #expect(["a": task, "b": task].awaitAll() == ["a": expected, "b": expected])
      #expect(["a": task, "b": task].awaitFirst() == expected)
      #expect(try [throwing, throwing].awaitAll() == [expected, expected])
      #expect(try [throwing, throwing].awaitAllResults().map { try $0.get() } == [expected, expected])
      #expect(try [throwing, throwing].awaitFirst() == expected)
      #expect(try task.throwableTask.await() == expected)

      for delay in [0, 0.001] {
        let heard = Gate()
        let name = Box<String?>(nil)
        task.async(delayBy: delay) {
          name.value = $0
          heard.open()
        }
        #expect(heard.pass())
        #expect(name.value == expected)
        let ran = Gate()
        Task.async(executionQueue: own.queue, delayBy: delay) {
          name.value = own.nameHere()
          ran.open()
        }
        #expect(ran.pass())
        #expect(name.value == expected)
      }
    }
  }

  @Test func `the global queues are entered too`() throws {
    try withDeadline {
      for queue in [DispatchQueue.userInteractive, .userInitiated, .utility, .background, .global()] {
        Task(executionQueue: queue) { dispatchPrecondition(condition: .onQueue(queue)) }.await()
        let tasks = (0..<3).map { i in
          Task(executionQueue: queue) {
            dispatchPrecondition(condition: .onQueue(queue))
            return i
          }
        }
        #expect(tasks.awaitAll() == [0, 1, 2])
      }
    }
  }

  @Test func `a task on a global queue runs there and not on the queue that awaits it`() throws {
    try withDeadline {
      let serial = NamedQueue("serial")
      let concurrent = NamedQueue("concurrent", attributes: .concurrent)
      for own in [serial, concurrent] {
        for queue in [DispatchQueue.global(), .utility] {
          let label = own.queue.sync { Task(executionQueue: queue) { CurrentQueue.name }.await() }
          #expect(label == queue.label)
        }
      }
    }
  }

  @Test func `a task on the target of the queue that awaits it runs at once`() throws {
    try withDeadline {
      let target = NamedQueue("target")
      let child = DispatchQueue(label: "child", target: target.queue)
      let name = child.sync { Task(executionQueue: target.queue) { target.nameHere() }.await() }
      #expect(name == "target")
    }
  }

  @Test func `a serial queue keeps its order, with blocks of the user's in between`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      let steps = Steps<Int>()
      let hold = Gate()
      own.queue.async { hold.pass() }
      for i in 0..<100 {
        if i % 3 == 0 {
          own.queue.async { steps.note(i) }
        } else {
          Task.async(executionQueue: own.queue) { steps.note(i) }
        }
      }
      // Long enough for a ferry to have come and to wait outside.
      Thread.sleep(forTimeInterval: 0.02)
      hold.open()
      own.queue.sync {}
      #expect(steps.all == Array(0..<100))
    }
  }

  @Test func `a serial queue runs one task at a time`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      let running = Counter()
      let tasks = (0..<200).map { _ in
        Task(executionQueue: own.queue) {
          running.increment()
          defer { running.decrement() }
          return own.nameHere()
        }
      }
      #expect(Set(tasks.awaitAll()) == ["own"])
      #expect(running.peak == 1)
    }
  }

  @Test func `a concurrent queue runs as many blocking tasks at once as the limit allows`() throws {
    try withDeadline {
      let own = NamedQueue("concurrent", attributes: .concurrent)
      let all = Meeting(of: 40)
      let tasks = (0..<40).map { _ in
        Task(executionQueue: own.queue) { own.nameHere() == "concurrent" && all.join() }
      }
      #expect(tasks.awaitAll(concurrency: 40).allSatisfy { $0 })
    }
  }

  @Test func `two hundred blocking tasks on a global queue all start`() throws {
    try withDeadline {
      let all = Meeting(of: 201)
      let joined = Counter()
      for _ in 0..<200 {
        Task.async(executionQueue: .utility) { if all.join() { joined.increment() } }
      }
      #expect(all.join())
    }
  }

  @Test func `a barrier of the user's is kept`() throws {
    try withDeadline {
      let own = NamedQueue("concurrent", attributes: .concurrent)
      let steps = Steps<String>()
      let hold = Gate()
      Task.async(executionQueue: own.queue) {
        hold.pass()
        steps.note("before")
      }
      own.queue.async(flags: .barrier) { steps.note("barrier") }
      let after = Gate()
      Task.async(executionQueue: own.queue) {
        steps.note("after")
        after.open()
      }
      // Long enough for a ferry to have come and to wait outside.
      Thread.sleep(forTimeInterval: 0.02)
      hold.open()
      #expect(after.pass())
      #expect(steps.all == ["before", "barrier", "after"])
    }
  }

  @Test func `a task that awaits a task on its own queue runs it there`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      let task = Task(executionQueue: own.queue) {
        Task(executionQueue: own.queue) { own.nameHere() }.await()
      }
      #expect(task.await() == "own")
    }
  }

  @Test func `a block of the user's on a queue may await a task on that queue`() throws {
    try withDeadline {
      let own = NamedQueue("own")
      #expect(own.queue.sync { Task(executionQueue: own.queue) { own.nameHere() }.await() } == "own")
    }
  }
}
