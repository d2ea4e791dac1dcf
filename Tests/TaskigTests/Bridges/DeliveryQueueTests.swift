#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Testing

  @testable import Taskig

  /// The queue that lets a session wait for the disk.
  struct DeliveryQueueTests {
    @Test func `who adds to it waits while there is much, and loses nothing`() throws {
      try withDeadline {
        let queue = DeliveryQueue(limit: 10, patience: 60)
        let (go, added, done) = (Gate(), Counter(), Steps<Int>())
        let adding = Aside {
          for number in 0..<200 {
            queue.addOperation {
              go.pass()
              done.note(number)
            }
            added.increment()
          }
        }
        #expect(eventually { added.value == 10 })
        // What is ours, such as calling a request off, does not wait.
        queue.addOwn { done.note(-1) }
        #expect(added.value == 10 && done.all == [])
        go.open()
        #expect(adding.result() != nil)
        #expect(eventually { done.all.count == 201 })
        #expect(done.all.filter { $0 >= 0 } == Array(0..<200))
      }
    }

    @Test(arguments: [false, true])
    func `nobody waits while something is done that may wait for who adds`(_ isOurs: Bool) throws {
      try withDeadline {
        let queue = DeliveryQueue(limit: 2, patience: 60)
        let (begun, go, all) = (Gate(), Gate(), Gate())
        queue.addOperation {
          begun.open()
          go.pass()
          if !isOurs { queue.lettingPass { all.pass() } }
        }
        if isOurs { queue.addOwn { all.pass() } }
        #expect(begun.pass())
        let adding = Aside { for _ in 0..<100 { queue.addOperation {} } }
        go.open()
        #expect(adding.result() != nil)
        all.open()
        queue.waitUntilAllOperationsAreFinished()
      }
    }

    @Test func `what comes for some requests does not pile up while others are sent`() throws {
      try withDeadline { () throws in
        let text = String(repeating: "0123456789abcdef", count: 1 << 19)
        let server = LoopbackServer(["/": { try $0.respond(200, text) }])
        let folder = try ScratchFolder()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 20
        let session = URLSession(configuration: configuration)
        let queue = TwinSession.of(session).correspondent.queue
        let done = Counter()
        let watching = Aside {
          var most = 0
          while done.value == 0 {
            most = max(most, queue.operationCount)
            // Often enough to see what takes a hundred times as long, and not so often as to hold it up.
            Thread.sleep(forTimeInterval: 0.001)
          }
          return most
        }
        defer { done.increment() }
        let requests = (0..<20).map { session.fetch(server.url("/"), to: folder.file("\($0)")).map { $0.statusCode } }
        #expect(try requests.awaitAll() == Array(repeating: 200, count: 20))
        done.increment()
        // All of it is ten thousand pieces; a few more than the limit get in while files are opened.
        #expect(try #require(watching.result()) < 3_000)
      }
    }

    @Test func `nobody waits for ever for a disk that hangs`() throws {
      try withDeadline {
        let queue = DeliveryQueue(limit: 1, patience: 0.01)
        let (go, done) = (Gate(), Counter())
        for _ in 0..<4 {
          queue.addOperation {
            go.pass()
            done.increment()
          }
        }
        #expect(done.value == 0)
        go.open()
        queue.waitUntilAllOperationsAreFinished()
        #expect(done.value == 4)
      }
    }
  }
#endif
