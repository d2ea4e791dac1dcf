#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @testable import Taskig

  /// What goes in and out of a child while it runs.
  struct ChildStreamTests {
    /// More than a pipe holds.
    private static let megabyte = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)

    @Test func `a megabyte on both streams does not stall the child`() throws {
      try withDeadline { () throws in
        let output = try shell("head -c 1048576 /dev/zero; head -c 1048576 /dev/zero >&2; echo end; echo end >&2")
          .await()
        #expect(output.output.count == 1_048_580)
        #expect(output.errorOutput.count == 1_048_580)
      }
    }

    @Test func `a child reads nothing unless it is given something`() throws {
      try withDeadline { () throws in
        #expect(try ChildProcess("cat").await().output.isEmpty)
        #expect(try ChildProcess("cat").takingInput(from: .text("")).await().output.isEmpty)
      }
    }

    @Test func `a named pipe is waited for, and holds up no other child; a path with a NUL character is refused`()
      throws
    {
      try withDeadline { () throws in
        let folder = try ScratchFolder()
        try #require(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        let cat = ChildProcess("cat").takingInput(from: .file(folder.path(of: "pipe")))
        let reading = Aside { try? cat.await().text }
        #expect(try (1...3).map { _ in try ChildProcess("echo", "a").await().text } == ["a", "a", "a"])
        #expect(!reading.isDone)
        try "b".write(toFile: folder.path(of: "pipe"), atomically: false, encoding: .utf8)
        #expect(reading.result() == "b")
        let error = ChildProcess("cat").takingInput(from: .file("/tmp/a\0b")).awaitResult().error
        guard case .notStarted? = error as? ChildProcessError else {
          Issue.record("A path was cut off at its NUL character: \(String(describing: error))")
          return
        }
      }
    }

    @Test func `it reads text, data and files`() throws {
      let folder = try ScratchFolder()
      try folder.write("from a file", to: "file")
      try withDeadline { () throws in
        #expect(try ChildProcess("cat").takingInput(from: .text("für")).await().text == "für")
        #expect(
          try ChildProcess("cat").takingInput(from: .data(Data([0, 255, 10]))).await().output == Data([0, 255, 10]))
        #expect(try ChildProcess("cat").takingInput(from: .data(Data("abc".utf8).dropFirst())).await().text == "bc")
        #expect(try ChildProcess("cat").takingInput(from: .file(folder.path(of: "file"))).await().text == "from a file")
        let missing = ChildProcess("cat").takingInput(from: .file(folder.path(of: "missing"))).awaitResult().error
        guard case .notStarted(_, let reason) = missing as? ChildProcessError else {
          Issue.record("it has started")
          return
        }
        #expect(reason.contains(folder.path(of: "missing")))
      }
    }

    @Test func `a megabyte goes through a child and comes back`() throws {
      try withDeadline { () throws in
        #expect(try ChildProcess("cat").takingInput(from: .data(Self.megabyte)).await().output == Self.megabyte)
      }
    }

    @Test func `a megabyte for a child that reads slowly, not at all, or only a part does not stall`() throws {
      try withDeadline { () throws in
        let input = ChildProcessInput.data(Self.megabyte)
        // It begins late, so that the pipe is full by then.
        #expect(try shell("sleep 0.2; cat | wc -c").takingInput(from: input).await().text.contains("1048576"))
        #expect(try ChildProcess("true").takingInput(from: input).await().ending == .exit(0))
        #expect(try shell("sleep 0.2; exit 3").takingInput(from: input).accepting(3).await().ending == .exit(3))
        #expect(try ChildProcess("head", "-c", "10").takingInput(from: input).await().output.count == 10)
        #expect(try shell("exec <&-; echo closed").takingInput(from: input).await().text == "closed")
      }
    }

    @Test func `lines come in order, whole and without their line breaks`() throws {
      try withDeadline { () throws in
        let (lines, errors) = (Steps<String>(), Steps<String>())
        let output = try shell(#"printf 'a\n\nb\r\n\377\nc'; printf 'wrong\nworse' >&2"#)
          .hearingOutput { lines.note($0) }.hearingErrorOutput { errors.note($0) }.await()
        #expect(lines.all == ["a", "", "b", "�", "c"])
        #expect(errors.all == ["wrong", "worse"])
        #expect(output.output.isEmpty && output.errorOutput.isEmpty)
        #expect(output.errorTail == "wrong\nworse")
        #expect(output.isComplete)
      }
    }

    @Test func `many lines, and one that is very long, arrive`() throws {
      try withDeadline { () throws in
        let (count, longest) = (Counter(), Locked(0))
        try shell("seq 1 5000; head -c 1000000 /dev/zero | tr '\\0' x; echo; seq 5002 10000")
          .hearingOutput { line in
            count.increment()
            if Int(line) != count.value { longest.withLock { $0 = line.count } }
          }.await()
        #expect(count.value == 10_000)
        #expect(longest.withLock { $0 } == 1_000_000)
      }
    }

    @Test func `a line comes while the child still runs`() throws {
      let folder = try ScratchFolder()
      try withDeadline { () throws in
        // The child goes on only when its line has been heard.
        let child = shell("echo ready; while [ ! -e \"$1\" ]; do sleep 0.01; done; echo done", folder.path(of: "go"))
        let lines = Steps<String>()
        try child.hearingOutput { line in
          lines.note(line)
          if line == "ready" { try? folder.write("", to: "go") }
        }.await()
        #expect(lines.all == ["ready", "done"])
      }
    }

    @Test(arguments: [false, true]) func `a closure that blocks holds up its child and no other`(hearsBytes: Bool)
      throws
    {
      let folder = try ScratchFolder()
      try withDeadline { () throws in
        let (begun, goOn) = (Gate(), Gate())
        let heard = Locked(0)
        let hear = { @Sendable (amount: Int) in
          let isFirst = heard.withLock { heard in
            heard += amount
            return heard == amount
          }
          guard isFirst else { return }
          begun.open()
          goOn.pass()
        }
        let slow = shell("seq 1 50000; echo > \"$1\"", folder.path(of: "written"))
          .sendingOutput(to: hearsBytes ? .bytes { hear($0.count) } : .lines { _ in hear(1) })
        let waiting = Aside { slow.awaitResult() }
        #expect(begun.pass())
        let others = try (0..<4).map { ChildProcess("echo", "\($0)") }.awaitAll(concurrency: 4)
        #expect(others.map(\.text) == ["0", "1", "2", "3"])
        // It writes more than pipes and we hold between us.
        #expect(!folder.has("written") && !waiting.isDone)
        goOn.open()
        #expect(try waiting.result()?.get().ending == .exit(0))
        #expect(folder.has("written"))
        #expect(heard.withLock { $0 } == (hearsBytes ? 288_894 : 50_000))
      }
    }

    @Test func `a closure may await the queue that waits for the child`() throws {
      let own = NamedQueue("own")
      try withDeadline { () throws in
        let names = Steps<String?>()
        let task = ThrowableTask(executionQueue: own.queue) {
          try shell("echo a; echo b; echo c >&2")
            .hearingOutput { _ in names.note(Task(executionQueue: own.queue) { own.nameHere() }.await()) }
            .await().errorText
        }
        #expect(try task.await() == "c")
        #expect(names.all == ["own", "own"])
      }
    }

    @Test func `both streams can be one`() throws {
      try withDeadline { () throws in
        let child = shell("echo 1; echo 2 >&2; echo 3; exit 1").mergingErrorOutput().acceptingAnyEnding()
        let output = try child.await()
        #expect(output.lines == ["1", "2", "3"])
        #expect(output.errorOutput.isEmpty)
        #expect(output.errorTail == "1\n2\n3")
        let lines = Steps<String>()
        try child.hearingOutput { lines.note($0) }.await()
        #expect(lines.all == ["1", "2", "3"])
      }
    }

    @Test func `what is discarded goes nowhere, and what is inherited where this process writes`() async throws {
      try withDeadline { () throws in
        let output = try shell("echo 1; echo 2 >&2").sendingOutput(to: .discarded).sendingErrorOutput(to: .discarded)
          .await()
        #expect(output.output.isEmpty && output.errorOutput.isEmpty && output.isComplete)
      }
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
      ) {
        exitLate()
        _ = try blocking {
          try shell("cat; echo out; echo err >&2").takingInput(from: .inherited).sendingOutput(to: .inherited)
            .sendingErrorOutput(
              to: .inherited
            ).await()
        }
      }
      let out = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      #expect(out.contains("out\n"))
      let err = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(err.contains("err\n"))
    }

    @Test func `streams work where this process has closed its own`() async {
      await #expect(processExitsWith: .success) {
        exitLate()
        for number: Int32 in 0...2 { close(number) }
        // Others, such as Dispatch, open files in their place, before and meanwhile.
        for _ in 0..<10 {
          let output = try blocking {
            try shell("cat; echo err >&2").takingInput(from: .text("in")).await()
          }
          guard output.text == "in", output.errorText == "err" else { exit(1) }
        }
      }
    }

    @Test func `what this process has closed, a child inherits as nothing`() async {
      await #expect(processExitsWith: .success) {
        exitLate()
        // What else is ever open is open after the first.
        _ = try blocking { try ChildProcess("true").await() }
        for number: Int32 in 0...2 { close(number) }
        let inherited = blocking {
          shell("cat; echo; echo >&2").takingInput(from: .inherited).sendingOutput(to: .inherited).sendingErrorOutput(
            to: .inherited
          ).awaitResult()
        }
        exit(inherited.error == nil ? 0 : 1)
      }
    }

    @Test func `the terminal is no input for a child`() async {
      await #expect(processExitsWith: .success) {
        exitLate()
        // This process gets a terminal of its own, which it must lead a session for.
        var (main, other): (Int32, Int32) = (-1, -1)
        guard openpty(&main, &other, nil, nil, nil) == 0, login_tty(other) == 0 else { exit(2) }
        let error = blocking { ChildProcess("cat").takingInput(from: .inherited).awaitResult().error }
        guard case .notStarted(_, let reason) = error as? ChildProcessError, reason.contains("terminal") else {
          exit(3)
        }
        exit(blocking { ChildProcess("cat").awaitResult().error } == nil ? 0 : 4)
      }
    }

    @Test func `what a child leaves behind does not hold up the await`() throws {
      try withDeadline { () throws in
        let mark = ProcessMark()
        let output = try shell("sleep \(mark.seconds) & echo started").lingering(for: .milliseconds(50)).await()
        #expect(output.text == "started")
        #expect(output.ending == .exit(0))
        #expect(!output.isComplete)
        #expect(mark.processes.count == 1)
        #expect(mark.end())
      }
    }

    @Test func `one that writes for ever is cut off`() throws {
      try withDeadline { () throws in
        let lines = Counter()
        for child in [
          shell("yes & exit 0"), shell("yes & exit 0").hearingOutput { _ in lines.increment() },
        ] {
          #expect(try child.lingering(for: .zero).await().isComplete == false)
        }
      }
    }

    @Test func `what comes within the time to linger is not lost, and goes in too`() throws {
      try withDeadline {
        // Longer than it takes the child to end, so that its end is seen first.
        let late = try shell("(sleep 0.3; echo late) & echo early").lingering(for: .seconds(60)).await()
        #expect(late.lines == ["early", "late"])
        #expect(late.isComplete)
        let counted = try shell("exec 3<&0; (sleep 0.1; wc -c <&3) & exit 0")
          .takingInput(from: .data(Self.megabyte)).lingering(for: .seconds(60)).await()
        #expect(counted.text.contains("1048576"))
      }
    }
  }
#endif
