import Foundation

/// Something that Taskig noticed, that is wrong or may be, and that nobody could be told by an error.
public enum TaskigReport: Sendable {
  /// An action called its completion more than once. The first call counted; this is said once for each run.
  case completedTwice(task: String)

  /// An await has taken longer than ``TaskigSettings/watchdogLimit``.
  case longAwait(LongAwait)

  /// A thread that is in a block of the main queue has been waiting for a second for `async` code, which began at `file` and `line`.
  ///
  /// Dispatch runs one block of the main queue at a time, and main actor code runs in such blocks: if the `async` code needs the
  /// main actor, it never goes on. Nothing tells whether it does, so this is a report and no trap.
  case mainQueueHeld(file: String, line: UInt)

  /// An await that takes long, and what is known of it.
  public struct LongAwait: Sendable {
    /// What is awaited: its type, its name if it has one, and where it was made.
    public let task: String
    /// The file of the await.
    public let file: String
    /// The line of the await.
    public let line: UInt
    /// The label of the queue that the task names; `nil` if it names none.
    public let queue: String?
    /// The name of the thread that waits.
    public let thread: String
    /// How long it has been waiting.
    public let duration: Duration
    /// What is known of the action, in words.
    public let state: String
    /// The awaits that wait for this one, the nearest first, as they were at the same moment.
    public let awaitedBy: [LongAwait]
  }
}

extension TaskigReport: CustomStringConvertible {
  /// What is wrong and what to do, in whole sentences.
  public var description: String {
    switch self {
    case .completedTwice(let task):
      "\(task) called its completion more than once. The first call counted, the others are ignored. "
        + "Call the completion once on every path of the action."
    case .longAwait(let long): "\(long)"
    case .mainQueueHeld(let file, let line):
      "A block of the main queue, or code of the main actor, has been waiting for a second for the async code at \(file):\(line). "
        + "If that needs the main actor, it never goes on, since the next block of the main queue begins when this one ends. "
        + "Await the code where the caller can be async, or block on another thread, as the flow of Script.run does."
    }
  }

  /// What takes the reports.
  static let handler = Locked<(@Sendable (TaskigReport) -> Void)?>(nil)

  /// Hands the report to whoever takes it.
  func send() {
    if let handler = Self.handler.withLock({ $0 }) { return handler(self) }
    StandardError.say("Taskig: \(self)")
  }
}

extension TaskigReport.LongAwait: CustomStringConvertible {
  /// The await in a sentence, and a line for each that waits for it.
  public var description: String {
    let chain = awaitedBy.map { "\n  It is awaited by this: \($0.sentence)" }
    return "An await takes long. " + sentence + chain.joined()
  }

  private var sentence: String {
    let place = queue.map { " on the queue “\($0)”" } ?? ""
    let seconds = duration.formatted(.units(allowed: [.minutes, .seconds, .milliseconds], width: .abbreviated))
    return
      "\(task)\(place), awaited at \(file):\(line) on the thread “\(thread)”, is not done after \(seconds). \(state)"
  }
}
