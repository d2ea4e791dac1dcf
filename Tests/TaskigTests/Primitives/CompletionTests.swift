import Dispatch
import Foundation
import Testing

@testable import Taskig

struct CompletionTests {
  @Test func `the first outcome wins and a later one changes nothing`() {
    let completion = Completion<Int>()
    #expect(completion.outcomeIfDone == nil)
    #expect(completion.complete(1))
    #expect(!completion.complete(2))
    #expect(completion.outcomeIfDone == 1)
  }

  @Test func `an outcome that was there before the receiver is handed on at once`() {
    let received = Box<[Int?]>([])
    let completion = Completion<Int>()
    completion.complete(1)
    completion.whenDone { received.value.append($0) }
    #expect(received.value == [1])
  }

  @Test func `an outcome that comes after the receiver is handed on once`() {
    let received = Box<[Int?]>([])
    let completion = Completion<Int> { received.value.append($0) }
    completion.complete(1)
    completion.complete(2)
    #expect(received.value == [1])
  }

  @Test func `a completion that nobody holds any more tells its receiver that the outcome is lost`() {
    let received = Box<[Int?]>([])
    do { _ = Completion<Int> { received.value.append($0) } }
    #expect(received.value == [nil])
  }

  @Test func `a completed one tells nothing more when it goes`() {
    let received = Box<[Int?]>([])
    do {
      let completion = Completion<Int> { received.value.append($0) }
      completion.complete(1)
    }
    #expect(received.value == [1])
  }

  @Test func `a result that is an optional without a value is not taken for a lost one`() {
    let received = Box<[Int??]>([])
    let completion = Completion<Int?> { received.value.append($0) }
    completion.complete(nil)
    #expect(received.value == [.some(nil)])
  }

  @Test func `of two threads that complete at once exactly one wins, and the receiver hears it once`() throws {
    try withDeadline(240) {
      for round in 0..<Machine.stress(2_000) {
        let received = Counter()
        let wins = Counter()
        let value = Box<Int?>(nil)
        let completion = Completion<Int>()
        let start = Meeting(of: 3)
        let group = DispatchGroup()
        for i in 1...2 {
          DispatchQueue.global().async(group: group) {
            _ = start.join()
            if completion.complete(i) { wins.increment() }
          }
        }
        _ = start.join()
        completion.whenDone {
          received.increment()
          value.value = $0
        }
        group.wait()
        #expect(wins.value == 1 && received.value == 1, "round \(round)")
        #expect(value.value == 1 || value.value == 2)
      }
    }
  }
}
