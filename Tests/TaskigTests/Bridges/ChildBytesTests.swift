#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @testable import Taskig

  /// What a child writes, heard piece by piece.
  struct ChildBytesTests {
    /// All bytes there are, in an order in which many make no UTF-8, and more of them than a pipe holds.
    private static let binary = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ $0 >> 8) })

    @Test func `pieces come in order, one at a time, and are all that was written, byte for byte`() throws {
      try withDeadline { () throws in
        let pieces = Steps<Data>()
        let inside = Counter()
        let output = try ChildProcess("cat").takingInput(from: .data(Self.binary))
          .sendingOutput(
            to: .bytes { piece in
              #expect(inside.increment() == 1)
              pieces.note(piece)
              inside.decrement()
            }
          ).await()
        #expect(pieces.all.reduce(Data(), +) == Self.binary)
        #expect(pieces.all.allSatisfy { (1...65_536).contains($0.count) })
        #expect(output.output.isEmpty && output.isComplete)
      }
    }

    @Test func `each stream has its own closure, and an error has the end of the error output all the same`() throws {
      try withDeadline { () throws in
        let (bytes, errors) = (Steps<Data>(), Steps<Data>())
        let child = shell(#"printf 'a\0\377'; printf 'it is\nbroken' >&2; exit 3"#)
          .sendingOutput(to: .bytes { bytes.note($0) }).sendingErrorOutput(to: .bytes { errors.note($0) })
        guard case .failed(_, let output) = child.awaitResult().error as? ChildProcessError else {
          Issue.record("it has not failed")
          return
        }
        #expect(bytes.all.reduce(Data(), +) == Data([97, 0, 255]))
        #expect(errors.all.reduce(Data(), +) == Data("it is\nbroken".utf8))
        #expect(output.errorTail == "it is\nbroken")
        #expect(output.output.isEmpty && output.errorOutput.isEmpty)
      }
    }

    @Test func `both streams can be one, and a stream may be empty`() throws {
      try withDeadline { () throws in
        let pieces = Steps<Data>()
        let hearing = ChildProcessDestination.bytes { pieces.note($0) }
        try shell("echo 1; echo 2 >&2; echo 3").sendingOutput(to: hearing).mergingErrorOutput().await()
        #expect(pieces.all.reduce(Data(), +) == Data("1\n2\n3\n".utf8))
        try ChildProcess("true").sendingOutput(to: hearing).await()
        #expect(pieces.all.reduce(Data(), +) == Data("1\n2\n3\n".utf8))
      }
    }

    @Test(
      .enabled(
        if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil,
        "AddressSanitizer keeps for a while what has been let go of."))
    func `a hundred megabytes go by without being held`() async {
      await #expect(processExitsWith: .success) {
        exitLate()
        let size = 100 << 20
        let child = ChildProcess("head", "-c", "\(size)", "/dev/zero")
        _ = try blocking { try ChildProcess("true").await() }
        let before = Machine.peakMemory
        let count = Locked(0)
        _ = try blocking {
          try child.sendingOutput(to: .bytes { piece in count.withLock { $0 += piece.count } }).await()
        }
        guard count.withLock({ $0 }) == size else { exit(1) }
        let heard = Machine.peakMemory
        // What it takes to hold them says how much that is: the unit is another on each system.
        guard try blocking({ try child.await().output.count }) == size else { exit(2) }
        exit((heard - before) * 4 < Machine.peakMemory - heard ? 0 : 3)
      }
    }

    @Test func `a closure may await the queue that waits for the child`() throws {
      let own = NamedQueue("own")
      try withDeadline { () throws in
        let names = Steps<String?>()
        try ThrowableTask(executionQueue: own.queue) {
          _ = try ChildProcess("echo", "a")
            .sendingOutput(
              to: .bytes { _ in names.note(Task(executionQueue: own.queue) { own.nameHere() }.await()) }
            ).await()
        }.await()
        #expect(names.all == ["own"])
      }
    }

    @Test func `no more pieces come when it has been cancelled, and the child is ended`() throws {
      try withDeadline { () throws in
        let (begun, goOn, done) = (Gate(), Gate(), Gate())
        let (mark, pieces) = (ProcessMark(), Counter())
        let task = shell("sleep \(mark.seconds) & yes")
          .sendingOutput(
            to: .bytes { _ in
              pieces.increment()
              begun.open()
              goOn.pass()
              done.open()
            }
          ).map { $0 }
        let waiting = Aside { task.awaitResult() }
        #expect(begun.pass())
        task.cancel()
        #expect(waiting.result()?.error as? CancellableTaskError == .taskWasCancelled)
        goOn.open()
        #expect(done.pass())
        #expect(mark.comes(to: 0))
        #expect(pieces.value == 1)
      }
    }

    @Test func `one that writes for ever is cut off`() throws {
      try withDeadline { () throws in
        let child = shell("yes & exit 0").sendingOutput(to: .bytes { _ in })
        #expect(try child.lingering(for: .zero).await().isComplete == false)
      }
    }
  }
#endif
