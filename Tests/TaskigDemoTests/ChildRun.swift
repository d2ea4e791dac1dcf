import Foundation
import Testing

/// One run of a program as a child process, up to its end or to a deadline, with what it wrote meanwhile.
struct ChildRun {
  /// What it exited with; `nil` if a signal ended it.
  let status: Int32?
  let output: String
  let errors: String

  var lines: [String] { output.components(separatedBy: "\n") }

  /// Runs a program, with both its streams read meanwhile; at the deadline it is killed, and the test fails.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: Its arguments.
  ///   - environment: What differs from a plain environment: UTF-8, no colour switches, no width.
  ///   - folder: Where it runs; where the tests run unless you say otherwise.
  ///   - input: What it can read from standard input, through a pipe; without it, that is a device that is empty.
  ///   - deadline: After how many seconds it counts as hanging; far more than it should ever take.
  ///   - meanwhile: What is done while it runs, with its number, to which signals can be sent. Whoever waits in it does so with a limit.
  init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil,
    input: String? = nil, deadline: Double = 90, sourceLocation: SourceLocation = #_sourceLocation,
    meanwhile: (pid_t) throws -> Void = { _ in }
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = Self.plainEnvironment.merging(environment) { $1 }
    _ = Self.survivesClosedPipes
    let words = input.map { _ in Pipe() }
    process.standardInput = words ?? FileHandle.nullDevice as Any
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors

    let end = DispatchGroup()
    end.enter()
    process.terminationHandler = { _ in end.leave() }
    try process.run()
    let written = StreamReader(output, in: end)
    let complaints = StreamReader(errors, in: end)
    // From another thread: who reads nothing, or not all, must not hold up the test.
    if let words, let input {
      Thread.detachNewThread {
        try? words.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? words.fileHandleForWriting.close()
      }
    }
    let deed = Result { try meanwhile(process.processIdentifier) }
    if end.wait(timeout: .now() + deadline) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
      // Its own children may hold the pipes for longer; what has been read by then must do.
      _ = end.wait(timeout: .now() + 5)
      Issue.record(
        """
        \(program) \(arguments) did not end within \(deadline) s. Until then it wrote:
        \(written.text)\(complaints.text)
        """, sourceLocation: sourceLocation)
    }
    let hasExited = !process.isRunning && process.terminationReason == .exit
    status = hasExited ? process.terminationStatus : nil
    (self.output, self.errors) = (written.text, complaints.text)
    try deed.get()
  }

  /// Runs the demo.
  static func demo(
    _ arguments: String..., environment: [String: String] = [:], in folder: URL? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ChildRun {
    try ChildRun(
      Products.demo(), arguments, environment: environment, in: folder, sourceLocation: sourceLocation)
  }

  /// Has a child that does not read its input be an error, and not the end of the tests.
  private static let survivesClosedPipes: Void = { signal(SIGPIPE) { _ in } }()

  private static var plainEnvironment: [String: String] {
    let settings = ["NO_COLOR", "COLUMNS", "LC_CTYPE", "LANG"]
    let environment = ProcessInfo.processInfo.environment.filter { !settings.contains($0.key) }
    return environment.merging(["LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]) { $1 }
  }
}

/// A thread that reads a pipe to its end.
private final class StreamReader: @unchecked Sendable {
  // because the data is only touched while the lock is held.
  private var data = Data()
  private let lock = NSLock()

  init(_ pipe: Pipe, in group: DispatchGroup) {
    let handle = pipe.fileHandleForReading
    group.enter()
    let thread = Thread { [self] in
      while case let chunk = handle.availableData, !chunk.isEmpty {
        lock.withLock { data.append(chunk) }
      }
      group.leave()
    }
    thread.start()
  }

  var text: String { lock.withLock { String(decoding: data, as: UTF8.self) } }
}
