#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @testable import Taskig

  /// Many children at once, and what is left of them afterwards.
  struct ChildCrowdTests {
    /// How many files this process has open.
    private static var files: Int { (0..<1_024).count { fcntl($0, F_GETFD) >= 0 } }

    @Test func `a hundred at once each have their own output and status`() throws {
      try withDeadline {
        let meeting = try ScratchFolder()
        // Each waits for the last, so that all are there at once.
        let script = "echo $1; echo wrong $1 >&2; cat; while [ ! -e \"$2\" ]; do sleep 0.1; done; exit $1"
        let children = (0..<100).map { number in
          (number == 99
            ? shell("echo > \"$2\"; " + script, "\(number)", meeting.path(of: "all"))
            : shell(script, "\(number)", meeting.path(of: "all"))).takingInput(from: .text("in \(number)"))
            .acceptingAnyEnding()
        }
        let outputs = try children.awaitAll(concurrency: 100)
        for (number, output) in outputs.enumerated() {
          #expect(output.ending == .exit(Int32(number)))
          #expect(output.lines == ["\(number)", "in \(number)"])
          #expect(output.errorText == "wrong \(number)")
        }
      }
    }

    @Test func `no thread waits for a child, and all files are closed in the end`() async {
      await #expect(processExitsWith: .success) {
        exitLate()
        let mark = ProcessMark()
        _ = try blocking { try ChildProcess("true").await() }
        let (files, threads) = (Self.files, Machine.threads)
        let tasks = (0..<60).map { _ in
          ChildProcess("sleep", mark.seconds).takingInput(from: .data(Data(count: 1 << 18))).withGrace(.zero).map { $0 }
        }
        let done = DispatchGroup()
        for task in tasks {
          done.enter()
          task.async { _ in done.leave() }
        }
        guard mark.comes(to: 60) else { exit(2) }
        // The workers that have started them stay for some seconds.
        if let threads, !Machine.comesDown(toThreads: threads + Machine.cores + 4) { exit(3) }
        for task in tasks { task.cancel() }
        guard blocking({ done.wait(timeout: .now() + 30) }) == .success else { exit(4) }
        let failing = blocking {
          (0..<50).map { _ in ChildProcess("/").takingInput(from: .text("x")) }.awaitAllResults(concurrency: 50)
        }
        guard failing.allSatisfy({ $0.error != nil }) else { exit(5) }
        guard mark.comes(to: 0) else { exit(6) }
        // There may have been some more, since the first child's are closed a moment after its await.
        guard eventually({ Self.files <= files }) else { exit(8) }
        // A zombie is a child still.
        exit(eventually { waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD } ? 0 : 7)
      }
    }

    @Test func `no child has what another has, or what this process has left open`() throws {
      try withDeadline {
        // On purpose one that children inherit.
        let open = fcntl(STDOUT_FILENO, F_DUPFD, 200)
        defer { close(open) }
        let mark = ProcessMark()
        let long = (0..<10).map { _ in ChildProcess("sleep", mark.seconds).withGrace(.zero).map { $0 } }
        let short = (0..<100).map { number in
          // They would wait for a pipe's end that a long one has, for as long as that runs.
          ChildProcess("cat").takingInput(from: .text("\(number)")).lingering(for: .seconds(1e12))
        }
        let running = Aside { try? short.awaitAll(concurrency: 8) }
        for task in long { task.async() }
        let outputs = running.result(within: 40) ?? nil
        #expect(outputs?.map(\.text) == (0..<100).map { "\($0)" })
        #expect(outputs?.allSatisfy(\.isComplete) == true)
        let numbers = try ChildProcess("ls", "/dev/fd").await().lines.compactMap { Int32($0) }
        #expect(numbers.contains(2) && !numbers.contains(open), "\(numbers)")
        #expect(mark.comes(to: 10))
        for task in long { task.cancel() }
        #expect(mark.comes(to: 0))
      }
    }

    @Test func `children that are started at the same time have nothing of each other`() async {
      // In a process of its own: a child may inherit what other tests open in great numbers as it is being started.
      await #expect(processExitsWith: .success) {
        exitLate()
        // Where the system has no such folder, there is nothing to see, and nothing for others to inherit.
        let counting = shell("ls -l /proc/self/fd 2>/dev/null | grep -c socket").acceptingAnyEnding()
        let alone = try blocking { try counting.await().text }
        let counts = try blocking {
          try (0..<Machine.stress(150)).map { _ in counting }.awaitAll(concurrency: 150).map(\.text)
        }
        exit(Set(counts) == [alone] ? 0 : 1)
      }
    }

    @Test func `where no more files can be opened, that is said, and nothing stays open`() async {
      await #expect(processExitsWith: .success) {
        exitLate()
        _ = try blocking { try ChildProcess("true").await() }
        var info = siginfo_t()
        guard eventually({ waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == -1 && errno == ECHILD }) else {
          exit(4)
        }
        // Far fewer than a thousand, for the reason that the next test has.
        Machine.limitFiles(to: 300)
        let others = Box<[Int32]>([])
        /// Opens as many as may be, or so many, and returns how many those are.
        func open(atMost count: Int = .max) -> Int {
          for opened in 0..<count {
            let number = dup(STDIN_FILENO)
            guard number >= 0 else { return opened }
            others.value.append(number)
          }
          return count
        }
        // Foundation closes what it had for a child a moment after it has reaped it, and nothing tells when. If it does so only now,
        // more come free, and it is tried again.
        let isSaid = eventually {
          _ = open()
          // All but for three.
          for number in others.value.suffix(3) { close(number) }
          others.value.removeLast(3)
          let error = blocking { ChildProcess("true").takingInput(from: .text("x")).awaitResult().error }
          guard open(atMost: 3) == 3 else { exit(2) }
          guard case .notStarted(_, let reason) = error as? ChildProcessError else { return false }
          return reason.contains("Start fewer") && open() == 0
        }
        guard isSaid else { exit(1) }
        for number in others.value { close(number) }
        exit(blocking { ChildProcess("true").takingInput(from: .text("x")).awaitResult().error } == nil ? 0 : 3)
      }
    }

    @Test func `where files run out as many are started at once, all is as it was for those that come later`() async {
      await #expect(processExitsWith: .success) {
        exitLate()
        _ = try blocking { try ChildProcess("true").await() }
        let folder = try ScratchFolder()
        // Foundation on Linux reads beyond its own memory when it looks for open files where there are about a thousand of them.
        Machine.limitFiles(to: 300)
        var others: [Int32] = []
        while others.last != -1 { others.append(dup(STDIN_FILENO)) }
        // Enough for some of them, and for two to be started at the same time.
        for number in others.dropLast().suffix(40) { close(number) }
        let waiting = shell("while [ ! -e \"$1\" ]; do sleep 0.1; done", folder.path(of: "go"))
        let (refused, wrong, done) = (Counter(), Counter(), DispatchGroup())
        for _ in 0..<14 {
          done.enter()
          waiting.map { $0 }.async { result in
            if case .notStarted(_, let reason)? = result.error as? ChildProcessError, reason.contains("Start fewer") {
              refused.increment()
            } else if result.error != nil {
              wrong.increment()
            }
            done.leave()
          }
        }
        guard eventually({ refused.value > 0 }) else { exit(1) }
        // A folder, since there may be no file to be opened.
        mkdir(folder.path(of: "go"), 0o700)
        guard blocking({ done.wait(timeout: .now() + 30) }) == .success, wrong.value == 0 else { exit(2) }
        // Foundation takes this one for its own where it gets none.
        guard fcntl(STDIN_FILENO, F_GETFD) >= 0 else { exit(3) }
        let isThere = eventually { blocking { ChildProcess("true").awaitResult().error } == nil }
        try FileManager.default.removeItem(at: folder.url)
        exit(isThere ? 0 : 4)
      }
    }

    @Test func `what a run held on to is let go of in the end`() throws {
      try withDeadline { () throws in
        let population = Population()
        func held(_ child: ChildProcess) -> ChildProcess {
          child.hearingOutput { [member = population.member()] _ in _ = member }
        }
        #expect(held(shell("echo a; echo b >&2")).awaitResult().error == nil)
        #expect(held(shell("exit 3")).awaitResult().error != nil)
        #expect(held(ChildProcess("/")).awaitResult().error != nil)
        #expect(throws: TaskigError.timedOut) {
          try held(ChildProcess("sleep", ProcessMark().seconds)).withGrace(.zero).await(timeout: .milliseconds(50))
        }
        #expect(population.hasDied())
      }
    }
  }
#endif
