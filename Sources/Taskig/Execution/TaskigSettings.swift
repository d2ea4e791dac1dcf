import Synchronization

/// What an app decides once, for all of its tasks.
///
/// Set these at the start of the program; they hold from then on, and may be read and set from any thread.
public enum TaskigSettings {
  private static let mainThreadBan = Atomic(false)

  /// Whether an await on the main thread stops the program, whatever it awaits and however short it is; `false` unless you
  /// say otherwise.
  ///
  /// For apps with a user interface, which should learn of such an await in development and not from a user who finds the app
  /// frozen. Scripts and tools have nothing else to do on their main thread.
  public static var forbidsBlockingMainThread: Bool {
    get { mainThreadBan.load(ordering: .relaxed) }
    set { mainThreadBan.store(newValue, ordering: .relaxed) }
  }

  /// How long an await may take before it is reported, once; `nil`, unless you say otherwise, watches nothing.
  ///
  /// Awaits that begin after this is set are watched, those that run their action in place included, and each costs about a
  /// microsecond more. The environment variable `TASKIG_WATCHDOG`, in seconds, sets it without a change to the program:
  /// `TASKIG_WATCHDOG=10 mytool`. Zero or less traps.
  public static var watchdogLimit: Duration? {
    get { Watchdog.limit }
    set { Watchdog.limit = newValue }
  }

  /// What is told of all that tasks do; `nil`, unless you say otherwise, and then it costs nothing.
  ///
  /// It is told of runs that are made after this is set, and of these to their ends, also if another is set meanwhile. Each costs
  /// some microseconds more than it does unobserved.
  public static var observer: (any TaskObserver)? {
    get { Watching.observer }
    set { Watching.observer = newValue }
  }

  /// What takes the reports; `nil`, unless you say otherwise, writes each to standard error.
  ///
  /// It is called on the thread that noticed, with none of Taskig's locks held.
  public static var reportHandler: (@Sendable (TaskigReport) -> Void)? {
    get { TaskigReport.handler.withLock { $0 } }
    set { TaskigReport.handler.withLock { $0 = newValue } }
  }
}
