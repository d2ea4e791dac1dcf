import Dispatch
import Foundation
import Testing

@testable import Taskig

struct FIFOTests {
  @Test func `elements come out in the order in which they went in`() {
    var queue = FIFO<Int>()
    var out: [Int] = []
    for i in 0..<1_000 {
      queue.append(i)
      queue.append(i + 10_000)
      if i % 3 == 0, let first = queue.popFirst() { out.append(first) }
    }
    while let next = queue.popFirst() { out.append(next) }
    #expect(out == (0..<1_000).flatMap { [$0, $0 + 10_000] })
    #expect(queue.isEmpty && queue.first == nil && queue.popFirst() == nil)
  }

  @Test func `an element that was taken out is let go`() {
    final class Token {}
    var queue = FIFO<Token>()
    weak var token: Token?
    do {
      let made = Token()
      token = made
      queue.append(made)
      queue.append(Token())
    }
    #expect(token != nil)
    _ = queue.popFirst()
    #expect(token == nil)
    #expect(queue.count == 1)
  }
}

struct LockedTests {
  @Test func `threads that count under the lock lose nothing`() throws {
    try withDeadline {
      let number = Locked(0)
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<10_000 { number.withLock { $0 += 1 } }
      }
      #expect(number.withLock { $0 } == 80_000)
    }
  }

  @Test func `the lock is open again after an error`() {
    struct Failure: Error {}
    let number = Locked(0)
    #expect(throws: Failure.self) { try number.withLock { _ in throw Failure() } }
    #expect(number.withLock { $0 } == 0)
  }
}

struct QueueLocalTests {
  private final class Token: Sendable {}

  @Test func `a queue has one object, and another queue another`() {
    let locals = QueueLocal { _ in Token() }
    let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
    #expect(locals[first] === locals[first])
    #expect(locals[first] !== locals[second])
    #expect(locals[.main] === locals[.main])
    #expect(locals[.global(qos: .utility)] === locals[.utility])
    #expect(locals[.utility] !== locals[.background])
  }

  @Test func `the object goes with the queue`() throws {
    let locals = QueueLocal { _ in Token() }
    weak var token: Token?
    do {
      let queue = DispatchQueue(label: "short-lived")
      token = locals[queue]
      #expect(token != nil)
    }
    // Dispatch frees a queue, and what was set on it, on a thread of its own.
    #expect(eventually { token == nil })
  }
}

struct StackBoundsTests {
  @Test func `a fresh thread has room, and has none left before its stack ends`() throws {
    try withDeadline {
      let bounds = StackBounds.ofCurrentThread()
      let lowest = Box<UInt>(0)
      #expect(bounds.hasRoom)
      @inline(never) func descend(_ depth: Int) -> Int {
        guard bounds.hasRoom, depth < 1_000_000 else { return depth }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { buffer in
          // The address gets out, so the optimizer can neither drop the buffer nor make a loop of this.
          lowest.value = UInt(bitPattern: buffer.baseAddress)
          return descend(depth + 1)
        }
      }
      let depth = descend(0)
      #expect(depth > 500 && depth < 2_048, "8 MB hold 2048 frames of 4 KB, less the reserve; got \(depth)")
    }
  }
}
