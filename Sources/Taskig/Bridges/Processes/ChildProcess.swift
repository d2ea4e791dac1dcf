#if os(macOS) || os(Linux)
  import Foundation

  /// A program to run as a child of this process; awaiting it gives what it wrote and how it ended.
  ///
  /// ```swift
  /// let greeting = try ChildProcess("echo", "hello").await()
  /// print(greeting.text)
  /// ```
  ///
  /// It is cold, as all tasks are: making one starts nothing, and each await starts a new child. The methods that change a
  /// setting return a changed copy:
  ///
  /// ```swift
  /// let sort = ChildProcess("sort", "-r").takingInput(from: .text("a\nb\n")).addingEnvironment(["LC_ALL": "C"])
  /// print(try sort.await().lines)
  /// ```
  ///
  /// The arguments go to the program as they are: no shell reads them. Unless you say otherwise, the child has the environment
  /// and the folder of this process, reads nothing (`/dev/null`), and both its output and its error output are captured, while it
  /// runs, so that it never waits for a reader. No signal is blocked in it, whatever this process does; those that this process ignores, it
  /// ignores too, as a shell's children do. It inherits no files but its three streams, and on Linux one of Foundation's own.
  ///
  /// **What is an error.** An exit status other than zero, and a signal that ended the child, are thrown as
  /// ``ChildProcessError/failed(command:output:)``; ``accepting(_:)`` and ``acceptingAnyEnding()`` change that. A child that could
  /// not be started throws one of the other cases.
  ///
  /// **What it blocks.** Children are started two at a time, on queues of Taskig's own, which takes about a millisecond each.
  /// No thread waits for a child while it runs: one serves the streams of all children. Whoever awaits is parked.
  ///
  /// **Cancelling.** A run that is cancelled, because a task around it is, its time is up or another was first, ends the child and
  /// all of its process group: see ``withGrace(_:)``. The await does not wait for that.
  public struct ChildProcess: ThrowableTaskType, Sendable {
    /// What the task results in.
    public typealias ResultType = ChildProcessOutput

    var plan: ChildPlan

    /// The program: a path if there is a slash in it, from this process's folder; otherwise a name that is looked up in the
    /// folders of the child's `PATH`.
    public var program: String { plan.program }

    /// What the program is told, without its name.
    public var arguments: [String] { plan.arguments }

    /// Makes a command out of a program and its arguments, one string each.
    public init(_ program: String, _ arguments: String...) {
      self.init(program, arguments: arguments)
    }

    /// Makes a command out of a program and a list of arguments.
    public init(_ program: String, arguments: [String]) {
      plan = ChildPlan(program: program, arguments: arguments)
    }

    /// Has the child started, without waiting for that, and calls `completion` when it has ended, on a thread of Taskig's own; prefer
    /// ``ThrowableTaskType/await(file:line:)`` and `async`.
    public func action(completion: @escaping @Sendable (TaskResult<ChildProcessOutput>) -> Void) {
      let run = ChildRun(of: plan, completion)
      // Before the child is there, so that there is no moment in which it could be missed.
      Task.onCancel { run.callOff() }
      run.start()
    }
  }

  extension ChildProcess: CustomStringConvertible {
    /// The command, quoted as a shell would need it.
    public var description: String { plan.commandLine }
  }

  extension ChildProcess: TracedTask {
    /// How much of a command names it: some are megabytes long.
    private static let nameLength = 80

    @usableFromInline
    static func origin<Other>(of task: Other) -> TaskOrigin {
      let command = sameType(task, as: ChildProcess.self).description
      let start = command.prefix(nameLength)
      return .named(TaskName(start.endIndex == command.endIndex ? command : start + "…", "", nil))
    }
  }
#endif
