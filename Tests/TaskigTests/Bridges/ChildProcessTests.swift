#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @testable import Taskig

  /// What a child is given, and what its end looks like.
  struct ChildProcessTests {
    /// What awaiting the child throws.
    private func error(of child: ChildProcess) -> ChildProcessError? {
      child.awaitResult().error as? ChildProcessError
    }

    @Test func `what a child writes to both its streams is there when it has ended`() throws {
      try withDeadline { () throws in
        let output = try shell("echo to you; echo to me >&2").await()
        #expect(output.ending == .exit(0))
        #expect(output.text == "to you")
        #expect(output.output == Data("to you\n".utf8))
        #expect(output.errorText == "to me")
        #expect(output.errorOutput == Data("to me\n".utf8))
        #expect(output.isComplete)
      }
    }

    @Test func `each await starts a new child`() throws {
      try withDeadline { () throws in
        let child = shell("echo $$")
        #expect(try child.await().text != child.await().text)
      }
    }

    @Test func `text drops one line break, lines drop all of them`() throws {
      try withDeadline { () throws in
        let output = try ChildProcess("printf", #"a\n\nb\r\nc\rd\n\n"#).await()
        #expect(output.text == "a\n\nb\r\nc\rd\n")
        #expect(output.lines == ["a", "", "b", "c\rd", ""])
        #expect(try ChildProcess("printf", #"a\r\n"#).await().text == "a")
        #expect(try ChildProcess("printf", #"a\nb"#).await().lines == ["a", "b"])
        #expect(try ChildProcess("printf", #"a\377b\n"#).await().lines == ["a�b"])
        #expect(try ChildProcess("true").await().lines == [])
        #expect(try ChildProcess("true").await().text == "")
      }
    }

    @Test func `every exit status is told as it is`() throws {
      try withDeadline {
        let outputs = try (0...255).map { shell("exit $1", "\($0)").acceptingAnyEnding() }.awaitAll(concurrency: 8)
        #expect(outputs.map(\.ending) == (0...255).map { .exit($0) })
      }
    }

    @Test func `a status other than zero is thrown, with the command, the ending and all that was written`() throws {
      try withDeadline { () throws in
        let child = shell("echo half; echo 'it is broken' >&2; exit 3")
        guard case .failed(let command, let output) = error(of: child) else {
          Issue.record("it has not failed")
          return
        }
        #expect(command == "/bin/sh -c 'echo half; echo '\\''it is broken'\\'' >&2; exit 3' sh")
        #expect(output.ending == .exit(3))
        #expect(output.text == "half")
        #expect(output.errorTail == "it is broken")
        let said = child.awaitResult().error?.localizedDescription ?? ""
        #expect(said.contains("exited with status 3. The end of its error output:\nit is broken"), "\(said)")
      }
    }

    @Test func `of much error output, the last part is told`() throws {
      try withDeadline { () throws in
        let child = shell("i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1")
        for child in [child, child.hearingErrorOutput { _ in }, child.mergingErrorOutput()] {
          guard case .failed(_, let output) = error(of: child) else {
            Issue.record("it has not failed")
            continue
          }
          #expect(output.errorTail.hasSuffix("line 1998\nline 1999"), "\(output.errorTail)")
          #expect(output.errorTail.utf8.count <= 2_048)
        }
      }
    }

    @Test func `a child that a signal ends says which`() throws {
      try withDeadline { () throws in
        for signal in [SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGKILL] {
          let child = shell("kill -$1 $$", "\(signal)")
          #expect(try child.acceptingAnyEnding().await().ending == .signal(signal))
          guard case .failed(_, let output) = error(of: child.accepting(0, signal, 128 + signal)) else {
            Issue.record("it has not failed")
            continue
          }
          #expect(output.ending == .signal(signal))
        }
        #expect("\(ChildProcessEnding.signal(SIGKILL))".hasPrefix("was ended by signal 9"))
      }
    }

    @Test func `the statuses to accept can be named`() throws {
      try withDeadline { () throws in
        #expect(try shell("exit 1").accepting(0, 1).await().ending == .exit(1))
        #expect(error(of: shell("exit 2").accepting(0, 1)) != nil)
        #expect(error(of: shell("exit 0").accepting(1)) != nil)
      }
    }

    @Test func `arguments arrive as they are`() throws {
      try withDeadline { () throws in
        let arguments = ["", " ", "a b", "*", "$HOME", "'", "\"", "\\", "ü", "-x", "new\nline"]
        let child = ChildProcess("printf", arguments: ["[%s]"] + arguments)
        #expect(try child.await().text == arguments.map { "[\($0)]" }.joined())
      }
    }

    @Test func `variables are added, replaced and taken away, or are all there is`() throws {
      try withDeadline { () throws in
        let script = shell("echo ${NEW-none} ${HOME-none} ${PATH:+path}")
        let added = script.addingEnvironment(["NEW": "1", "HOME": nil])
        #expect(try added.await().text == "1 none path")
        #expect(try script.addingEnvironment(["HOME": "there"]).await().text == "none there path")
        let all = try ChildProcess("env").replacingEnvironment(with: ["ONE": "1", "TWO": "a=b"]).await().lines
        #expect(Set(all) == ["ONE=1", "TWO=a=b"])
      }
    }

    @Test func `a variable without a name, or with a forbidden character, is an error`() throws {
      try withDeadline { () throws in
        for name in ["", "A=B", "A\0"] {
          guard case .notStarted(_, let reason) = error(of: shell("true").addingEnvironment([name: "x"])) else {
            Issue.record("it has started")
            continue
          }
          #expect(reason.contains("environment variable"))
        }
      }
    }

    @Test func `it runs in the folder that it is told`() throws {
      let folder = try ScratchFolder()
      try withDeadline { () throws in
        #expect(try ChildProcess("pwd").inFolder(folder.path).await().text == folder.path)
        #expect(try ChildProcess("pwd").await().text == FileManager.default.currentDirectoryPath)
      }
    }

    @Test func `a folder that is not there is an error that names it`() throws {
      let folder = try ScratchFolder()
      try folder.write("", to: "file")
      try withDeadline { () throws in
        for path in [folder.path(of: "nowhere"), folder.path(of: "file")] {
          guard case .notStarted(let command, let reason) = error(of: ChildProcess("pwd").inFolder(path)) else {
            Issue.record("it has started")
            continue
          }
          #expect(command == "pwd")
          #expect(reason.contains(path))
        }
      }
    }

    @Test func `a name is looked up in the folders of the child's PATH`() throws {
      let folder = try ScratchFolder()
      try folder.write("#!/bin/sh\necho found\n", to: "thing", executable: true)
      try folder.write("#!/bin/sh\necho plain\n", to: "plain")
      try withDeadline { () throws in
        let path = "/nowhere:" + folder.path
        #expect(try ChildProcess("thing").replacingEnvironment(with: ["PATH": path]).await().text == "found")
        for name in ["plain", "missing"] {
          let child = ChildProcess(name).addingEnvironment(["PATH": path])
          guard case .notFound(name, ["/nowhere", folder.path]) = error(of: child) else {
            Issue.record("it was found")
            continue
          }
          let said = child.awaitResult().error?.localizedDescription ?? ""
          #expect(said.contains("“\(name)”") && said.contains("/nowhere, \(folder.path)"), "\(said)")
        }
      }
    }

    @Test func `what is no program is an error that says why`() throws {
      let folder = try ScratchFolder()
      try folder.write("echo", to: "plain")
      try folder.write("echo", to: "without", executable: true)
      try folder.write("#!/no/such/thing\n", to: "lost", executable: true)
      try withDeadline { () throws in
        for (path, text) in [
          (folder.path(of: "plain"), "permission"), (folder.path, "folder"), (folder.path(of: "without"), "#!"),
          (folder.path(of: "lost"), "first line"),
        ] {
          guard case .notStarted(_, let reason) = error(of: ChildProcess(path)) else {
            Issue.record("\(path) has started")
            continue
          }
          #expect(reason.contains(path) && reason.contains(text), "\(reason)")
        }
        guard case .notFound(_, [folder.path(of: "nowhere")]) = error(of: ChildProcess(folder.path(of: "nowhere")))
        else {
          Issue.record("it was found")
          return
        }
      }
    }

    @Test func `an empty name and a NUL character are errors`() throws {
      try withDeadline { () throws in
        for (child, text) in [
          (ChildProcess(""), "empty"), (ChildProcess("echo", "a\0b"), "NUL"), (ChildProcess("e\0cho"), "NUL"),
          (ChildProcess("pwd").inFolder("/\0"), "NUL"),
        ] {
          guard case .notStarted(_, let reason) = error(of: child) else {
            Issue.record("it has started")
            continue
          }
          #expect(reason.contains(text))
        }
      }
    }

    @Test func `more arguments than the system takes are an error`() throws {
      try withDeadline { () throws in
        let child = ChildProcess(
          "true", arguments: Array(repeating: String(repeating: "x", count: 100_000), count: 200))
        guard case .notStarted(_, let reason) = error(of: child) else {
          Issue.record("it has started")
          return
        }
        #expect(reason.contains("as input"))
        #expect("\(ChildProcessError.notStarted(command: child.description, reason: ""))".count < 1_000)
      }
    }

    @Test func `what the starting thread blocks, the child does not`() throws {
      try withDeadline { () throws in
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
        #expect(try shell("kill -TERM $$").acceptingAnyEnding().await().ending == .signal(SIGTERM))
      }
    }

    @Test func `what this process ignores, the child ignores too, and what it handles, the child does not`() async {
      await #expect(processExitsWith: .success) {
        exitLate()
        signal(SIGINT, SIG_IGN)
        signal(SIGTERM) { _ in }
        let endings = try blocking {
          try [SIGINT, SIGTERM].map { try shell("kill -$1 $$", "\($0)").acceptingAnyEnding().await().ending }
        }
        exit(endings == [.exit(0), .signal(SIGTERM)] ? 0 : 1)
      }
    }

    @Test func `a child that nobody tells of is no success`() async {
      await #expect(processExitsWith: .success) {
        exitLate()
        signal(SIGCHLD, SIG_IGN)
        let (result, accepted) = blocking {
          (ChildProcess("echo", "a").awaitResult(), ChildProcess("echo", "a").acceptingAnyEnding().awaitResult())
        }
        guard case .failed(_, let output)? = result.error as? ChildProcessError else { exit(1) }
        exit(output.ending == .unknown && (try? accepted.get().text) == "a" ? 0 : 1)
      }
    }

    @Test func `operators, names and other awaits work as on any task`() throws {
      try withDeadline { () throws in
        #expect(try ChildProcess("echo", "7").map { Int($0.text) }.await() == 7)
        #expect(try ChildProcess("echo", "7").await(timeout: .seconds(60)).text == "7")
        let heard = Aside { () -> String? in
          let (box, gate) = (Locked<String?>(nil), Gate())
          ChildProcess("echo", "8").async { result in
            box.withLock { $0 = try? result.get().text }
            gate.open()
          }
          gate.pass()
          return box.withLock { $0 }
        }
        #expect(heard.result() == "8")
      }
    }
  }
#endif
