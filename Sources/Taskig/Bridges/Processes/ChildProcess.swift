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
  /// let sorted = try ChildProcess("sort", "-r").input(.text("a\nb\n")).environment(adding: ["LC_ALL": "C"]).await()
  /// print(sorted.lines)
  /// ```
  ///
  /// The arguments go to the program as they are: no shell reads them. Unless you say otherwise, the child has the environment
  /// and the folder of this process, reads nothing (`/dev/null`), and both its output and its error output are captured, while it
  /// runs, so that it never waits for a reader. No signal is blocked in it or ignored, whatever this process does, and it has no
  /// open files but its three streams.
  ///
  /// **What is an error.** An exit status other than zero, and a signal that ended the child, are thrown as
  /// ``ChildProcessError/failed(command:output:)``; ``accepting(_:)`` and ``acceptingAnyEnding()`` change that. A child that could
  /// not be started throws one of the other cases.
  ///
  /// **What it blocks.** The action blocks for about a millisecond, to start the child, on the thread that starts the task. No
  /// thread waits for a child while it runs: one serves the streams of all children. Whoever awaits is parked.
  ///
  /// **Cancelling.** A run that is cancelled, because a task around it is, its time is up or another was first, ends the child and
  /// all of its process group: see ``grace(_:)``. The await does not wait for that.
  public struct ChildProcess: ThrowableTaskType, Sendable {
    /// What the task results in.
    public typealias ResultType = Output

    /// The program: a path if there is a slash in it, from this process's folder; otherwise a name that is looked up in the
    /// folders of the child's `PATH`.
    public let program: String

    /// What the program is told, without its name.
    public let arguments: [String]

    var variables = Variables.added([:])
    var folder: String?
    var input = Input.nothing
    var outputDestination = Destination.captured
    /// `nil` if it goes where the output does.
    var errorDestination: Destination? = .captured
    /// `nil` if any ending will do.
    var acceptedStatuses: Set<Int32>? = [0]
    var gracePeriod = Duration.seconds(2)
    var lingerPeriod = Duration.seconds(1)

    /// Makes a command out of a program and its arguments, one string each.
    public init(_ program: String, _ arguments: String...) {
      self.init(program, arguments: arguments)
    }

    /// Makes a command out of a program and a list of arguments.
    public init(_ program: String, arguments: [String]) {
      self.program = program
      self.arguments = arguments
    }

    /// Starts the child and calls `completion` when it has ended, on a thread of Taskig's own; prefer
    /// ``ThrowableTaskType/await(file:line:)`` and `async`.
    public func action(completion: @escaping @Sendable (TaskResult<Output>) -> Void) {
      let run = ChildRun(of: self, completion)
      // Before the child is there, so that there is no moment in which it could be missed.
      Task.onCancel { run.callOff() }
      run.start()
    }

    func accepts(_ ending: Ending) -> Bool {
      guard let acceptedStatuses else { return true }
      return acceptedStatuses.contains { ending == .exit($0) }
    }
  }

  extension ChildProcess: CustomStringConvertible {
    /// The command, quoted as a shell would need it.
    public var description: String { ([program] + arguments).map(Self.quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
      let plain = CharacterSet(charactersIn: "-+=_./:,@%").union(.alphanumerics)
      if !word.isEmpty, word.unicodeScalars.allSatisfy(plain.contains) { return word }
      return "'" + word.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }
  }
#endif
