import Dispatch
import Foundation
import Testing

@testable import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What is told of requests that are on their way.
struct FetchProgressTests {
  @Test(arguments: [false, true])
  func `progress grows, and ends with all of it before the await does`(_ isFile: Bool) throws {
    try withDeadline { () throws in
      let folder = try ScratchFolder()
      let server = LoopbackServer(["/": { try $0.respond(200, Data(repeating: 65, count: 1_000_000)) }])
      let steps = Steps<TransferProgress>()
      if isFile {
        try URLSession.ofTests.fetch(server.url("/"), to: folder.file("it")) { steps.note($0) }.await()
      } else {
        try URLSession.ofTests.fetch(server.url("/")) { steps.note($0) }.await()
      }
      let all = steps.all
      #expect(all.last == TransferProgress(received: 1_000_000, expected: 1_000_000))
      #expect(zip(all, all.dropFirst()).allSatisfy { $0.received <= $1.received && $0 != $1 })
      #expect(all.allSatisfy { $0.expected == 1_000_000 })
    }
  }

  @Test func `an answer without a body is all there at once`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.send($0.head(200, ["Content-Length: 500"])) }])
      var request = URLRequest(url: server.url("/"))
      request.httpMethod = "HEAD"
      let steps = Steps<TransferProgress>()
      try URLSession.ofTests.fetch(request) { steps.note($0) }.await()
      #expect(steps.all == [TransferProgress(received: 0, expected: 0)])
    }
  }

  @Test func `progress is told while the answer comes`() throws {
    try withDeadline { () throws in
      let told = Gate()
      let server = LoopbackServer([
        "/": { exchange in
          try exchange.send(exchange.head(200, ["Content-Length: 10"]))
          try exchange.send("01234")
          try exchange.send(told.pass() ? "56789" : "")
        }
      ])
      let task = URLSession.ofTests.fetch(server.url("/")) { if $0.fraction == 0.5 { told.open() } }
      #expect(try Answer(task.await()) == Answer(200, "0123456789"))
    }
  }

  @Test func `where the server does not say how much will come, that is not known`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer([
        "/": { exchange in
          try exchange.send(exchange.head(200, ["Transfer-Encoding: chunked"]))
          for word in ["one ", "two", ""] { try exchange.sendChunk(word) }
        }
      ])
      let steps = Steps<TransferProgress>()
      try URLSession.ofTests.fetch(server.url("/")) { steps.note($0) }.await()
      #expect(steps.all.last == TransferProgress(received: 7) && steps.all.allSatisfy { $0.fraction == nil })
    }
  }

  @Test func `progress is told once at a time, whatever the session's queue is`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer(["/": { try $0.respond(200, Data(repeating: 65, count: 1_000_000)) }])
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 8
      let session = URLSession(configuration: .default, delegate: nil, delegateQueue: queue)
      let (busy, received) = (Counter(), Steps<Int64>())
      try session.fetch(server.url("/")) { progress in
        busy.increment()
        received.note(progress.received)
        busy.decrement()
      }.await()
      #expect(busy.peak == 1)
      #expect(received.all.last == 1_000_000)
    }
  }

  @Test func `nothing is told after a cancellation, which the closure may be the one to ask for`() throws {
    try withDeadline { () throws in
      let server = LoopbackServer([
        "/": { exchange in
          try exchange.send(exchange.head(200, ["Content-Length: 1000"]))
          try exchange.send("01234")
          exchange.waitForClient()
        }
      ])
      let told = Counter()
      let task = Box<ThrowableTask<(Data, HTTPURLResponse)>?>(nil)
      let mine = URLSession.ofTests.fetch(server.url("/")) { _ in
        told.increment()
        task.value?.cancel()
      }
      task.value = mine
      #expect(throws: CancellableTaskError.taskWasCancelled) { try mine.await() }
      #expect(eventually { server.connections == 0 })
      #expect(told.value == 1)
      task.value = nil
    }
  }

  @Test func `a closure that is slow is told the latest, and all that came meanwhile at once`() throws {
    try withDeadline {
      let (begun, goOn, told) = (Gate(), Gate(), Steps<Int64>())
      let reporter = ProgressReporter { progress in
        begun.open()
        goOn.pass()
        told.note(progress.received)
      }
      reporter.report(TransferProgress(received: 0))
      #expect(begun.pass())
      for received in 1...100 { reporter.report(TransferProgress(received: Int64(received))) }
      goOn.open()
      #expect(eventually { told.all == [0, 100] })
      reporter.stop()
      reporter.report(TransferProgress(received: 101))
      #expect(told.all == [0, 100])
    }
  }

  @Test func `progress is told, and ends, when others have blocked all threads of Dispatch's`() async {
    await #expect(processExitsWith: .success) {
      exitLate()
      let (goOn, told, ended) = (Gate(), Gate(), Gate())
      // More than it starts threads for.
      for _ in 0..<300 { DispatchQueue(label: "blocked").async { goOn.pass() } }
      let reporter = ProgressReporter { _ in told.open() }
      reporter.finish(TransferProgress(received: 1, expected: 1)) { ended.open() }
      if !told.pass(within: 30) || !ended.pass(within: 30) { exit(1) }
      goOn.open()
    }
  }

  @Test func `the fraction is that of the whole, where that is known`() {
    #expect(TransferProgress(received: 1, expected: 4).fraction == 0.25)
    #expect(TransferProgress(received: 4, expected: 4).fraction == 1)
    #expect(TransferProgress(received: 0, expected: 0).fraction == 1)
    #expect(TransferProgress(received: 1).fraction == nil)
    #expect(TransferProgress(received: 5, expected: 4).fraction == nil)
  }
}
