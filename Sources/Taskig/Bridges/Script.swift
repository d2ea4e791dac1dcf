import Foundation

/// The entry point of a script or command-line tool: a flow that blocks, beside a main thread that stays free.
///
/// ```swift
/// func flow() throws {
///   let words = try ThrowableTask { try String(contentsOfFile: "/etc/passwd", encoding: .utf8).split(separator: " ") }
///     .await()
///   // The main thread is free, and serves whatever needs it.
///   Task(executionQueue: .main) { MainActor.assumeIsolated { show("words: \(words.count > 0)") } }.await()
///   try Task.sleep(for: .milliseconds(200))
/// }
///
/// Script.run { try flow() }
/// ```
public enum Script {
  /// Runs `flow` on a thread of Taskig's own while the main thread runs its run loop, and ends the process with it.
  ///
  /// Call it on the main thread, as the last thing that `main.swift` or `@main` does. The main thread serves its run loop for as
  /// long as the flow takes: tasks of the main queue, `@MainActor` code, Foundation's timers and other sources all work, and the
  /// flow may wait for them.
  ///
  /// When the flow ends, the process does, with what is left in the buffers of the C library written, `stdout`'s too:
  ///
  /// - The flow returns: status 0.
  /// - It throws an ``Exit``: that one's status and message.
  /// - It throws another error: status 1, and the error's text on standard error, its `errorDescription` if it is a
  ///   `LocalizedError` that has one. Where that cannot be written, the status is the same.
  /// - Ctrl-C or `SIGTERM`: the flow is cancelled, as ``Task/cancelling(on:_:file:line:_:)`` says, and has all the time that it
  ///   needs to end. If it ends with its cancellation, the status is 128 and the signal's number, so 130 or 143, and nothing is
  ///   written. A second signal ends the process at once.
  ///
  /// `exit(_:)` may be called at any time, from any thread. What other threads do is not waited for.
  ///
  /// Traps when called on another thread than the main one, or after `dispatchMain()`.
  @available(*, noasync, message: "It never returns, and keeps the main actor. Call it in a main() that is not async.")
  @preconcurrency
  public static func run(
    file: StaticString = #fileID, line: UInt = #line, _ flow: @escaping @Sendable () throws -> Void
  ) -> Never {
    guard ThreadContext.current.isMain else { trapOffMain(at: CallSite(file, line)) }
    Workers.shared.submit(.urgent) {
      end(TaskResult { try Task.cancelling(on: SIGINT, SIGTERM, file: file, line: line, flow) })
    }
    // Without a timer, the loop has nothing to wait for and returns at once; with one, it returns when somebody stops it.
    RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .common)
    while true { RunLoop.main.run() }
  }

  private static func end(_ result: TaskResult<Void>) -> Never {
    switch result.error {
    case nil: exit(0)
    case let error as Exit:
      if let message = error.message { StandardError.say(message) }
      exit(error.status)
    case let error as CancelledBySignal: exit(error.exitStatus)
    case let error?:
      StandardError.say(text(of: error))
      exit(1)
    }
  }

  /// What an error says of itself to people.
  ///
  /// Foundation's own errors say it only when they are asked as Foundation does.
  private static func text(of error: any Error) -> String {
    if let text = (error as? any LocalizedError)?.errorDescription { return text }
    return error is any CustomNSError || type(of: error) is NSError.Type ? error.localizedDescription : "\(error)"
  }

  private static func trapOffMain(at site: CallSite) -> Never {
    trap(
      "Script.run was called on another thread than the main thread.",
      consequence: "The main thread would not run its run loop, and what needs it would never happen.",
      remedy: "Call it at the top level of main.swift, or in the static main() of a type that is @main.",
      at: site)
  }
}

extension Script {
  /// The error that ends a script with a status of its own.
  ///
  /// ```swift
  /// func resize(_ arguments: ArraySlice<String>) throws {
  ///   guard let image = arguments.first else { throw Script.Exit(64, "usage: resize <image>") }
  ///   print("resizing", image)
  /// }
  /// ```
  public struct Exit: Error, Equatable {
    /// What the process exits with.
    public let status: Int32

    /// What is written to standard error before; `nil` for nothing.
    public let message: String?

    /// Makes the error that ends a script with `status`, from 0 to 255, and `message`.
    ///
    /// Traps for other statuses: the system passes on only the lowest eight bits, so 256 would pass for success.
    public init(_ status: Int32, _ message: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
      if !(0...255).contains(status) {
        trap(
          "There is no exit status \(status).",
          consequence: "The system passes on its lowest eight bits only, so it would arrive as \(status & 255).",
          remedy: "Pass a status from 0 to 255.",
          at: CallSite(file, line))
      }
      self.status = status
      self.message = message
    }
  }
}

extension Script.Exit: LocalizedError, CustomStringConvertible {
  /// The same as `description`.
  public var errorDescription: String? { description }

  /// The message, or else the status in words.
  public var description: String { message ?? "The script ends with status \(status)." }
}
