#if os(macOS) || os(Linux)
  extension ChildProcess {
    /// The same command with these variables in its environment besides those of this process; `nil` takes one away.
    ///
    /// Those of this process are looked up when the child is started. It replaces what this one or ``replacingEnvironment(with:)`` has said before.
    public func addingEnvironment(_ variables: [String: String?]) -> ChildProcess {
      changed { $0.variables = .added(variables) }
    }

    /// The same command with these variables as its whole environment.
    ///
    /// A program that is given by name is then looked up in the `PATH` among them, or, if there is none, in `/usr/bin` and
    /// `/bin`. It replaces what this one or ``addingEnvironment(_:)`` has said before.
    public func replacingEnvironment(with variables: [String: String]) -> ChildProcess {
      changed { $0.variables = .only(variables) }
    }

    /// The same command in this folder, which must exist when it is started; a path from this process's folder.
    ///
    /// The program is still looked for from this process's folder.
    public func inFolder(_ path: String) -> ChildProcess {
      changed { $0.folder = path }
    }

    /// The same command with something else to read; ``ChildProcessInput/nothing`` unless you say so.
    public func takingInput(from input: ChildProcessInput) -> ChildProcess {
      changed { $0.input = input }
    }

    /// The same command with its output going elsewhere; ``ChildProcessDestination/captured`` unless you say so.
    public func sendingOutput(to destination: ChildProcessDestination) -> ChildProcess {
      changed { $0.output = destination }
    }

    /// The same command with its error output going elsewhere; ``ChildProcessDestination/captured`` unless you say so.
    public func sendingErrorOutput(to destination: ChildProcessDestination) -> ChildProcess {
      changed { $0.errorOutput = destination }
    }

    /// The same command whose output is heard line by line: `sendingOutput(to: .lines(receive))`.
    ///
    /// ``ChildProcessDestination/lines(_:)`` says where the closure runs.
    public func hearingOutput(_ receive: @escaping @Sendable (_ line: String) -> Void) -> ChildProcess {
      sendingOutput(to: .lines(receive))
    }

    /// The same command whose error output is heard line by line: `sendingErrorOutput(to: .lines(receive))`.
    ///
    /// ``ChildProcessDestination/lines(_:)`` says where the closure runs.
    public func hearingErrorOutput(_ receive: @escaping @Sendable (_ line: String) -> Void) -> ChildProcess {
      sendingErrorOutput(to: .lines(receive))
    }

    /// The same command with its error output in one stream with its output, in the order in which it writes; ``ChildProcessOutput/errorOutput``
    /// is then empty.
    public func mergingErrorOutput() -> ChildProcess {
      changed { $0.errorOutput = nil }
    }

    /// The same command for which these exit statuses, and no others, are a success.
    ///
    /// ```swift
    /// // 1 is how grep says that there is none.
    /// let search = ChildProcess("grep", "needle").takingInput(from: .text("hay\n")).accepting(0, 1)
    /// print(try search.await().lines.count)
    /// ```
    ///
    /// A child that a signal ended is a failure still.
    public func accepting(_ statuses: Int32...) -> ChildProcess {
      changed { $0.acceptedStatuses = Set(statuses) }
    }

    /// The same command for which any exit status, and any signal that ended it, is a success: look at ``ChildProcessOutput/ending``.
    public func acceptingAnyEnding() -> ChildProcess {
      changed { $0.acceptedStatuses = nil }
    }

    /// The same command with this time to end by itself when its run is cancelled; two seconds unless you say so.
    ///
    /// The child leads a process group of its own, to which all that it starts belongs, unless that leaves it. When the run is
    /// cancelled, the group is told to end, by `SIGTERM`; what is left of it after the grace is ended by `SIGKILL`. Zero or less
    /// means at once, a century or more never.
    public func withGrace(_ time: Duration) -> ChildProcess {
      changed { $0.grace = time }
    }

    /// The same command with this time for others to close its streams after it has ended; a second unless you say so.
    ///
    /// What a child starts inherits its streams, and a server that it leaves behind may keep them open for good. So the streams are
    /// read to their ends, but not for longer than this. What was in them by then is there, what is written later is lost, and
    /// ``ChildProcessOutput/isComplete`` is false. Zero or less means not to wait, a century or more to wait for their ends.
    public func lingering(for time: Duration) -> ChildProcess {
      changed { $0.linger = time }
    }

    private func changed(_ adjust: (inout ChildPlan) -> Void) -> ChildProcess {
      var copy = self
      adjust(&copy.plan)
      return copy
    }
  }
#endif
