#if canImport(FoundationNetworking)
  import Foundation
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
