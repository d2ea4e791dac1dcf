/// What a batch knows and decides; it starts nothing itself.
///
/// Each change returns what is to happen after it, outside of the lock.
struct BatchState {
  /// What a runner did before it comes for an item.
  enum Turn {
    case came
    /// Started an item that was not done when it returned.
    case started
    /// Ran an item that was.
    case done
  }

  enum Step: Equatable {
    case nothing
    /// All is over: the waiter can go.
    case finish
    /// The caller, who waits, is to run items again; the pulse is to watch, as it may be busy with work that it was lent to.
    case callBack(watch: Bool)
    /// A runner is to be brought.
    case bringRunner
    /// The pulse is to watch the batch.
    case watch
  }

  let count: Int
  let limit: Int

  private var next = 0
  private var inFlight = 0
  /// Those in flight that wait for their turn on a queue, and will not run if the batch is stopped by then.
  private var inLine: Set<Int> = []
  private(set) var isStopped = false

  /// Threads that start items, or have been asked for and will.
  private var runners = 0
  /// Those of them that have been asked for and have not come yet.
  private var arriving = 0
  /// Those of them that have come.
  private var threads: [SystemThread] = []
  /// Whether the caller found nothing to do and waits, so that it can be called back.
  private var callerIsIdle = false

  private var isWatched = false
  /// How often a runner came back for more: what a beat measures progress by.
  private var turns = 0
  private var turnsAtLastBeat = 0
  /// Turns a millisecond before the last help came, and how many beats it has been in vain since.
  private var paceBeforeHelp = 0
  private var beatsInVain = 0
  /// After how many of those help is tried again all the same; longer each time that it does not help.
  private var patience = leastPatience
  private static let leastPatience = 16
  /// Microseconds without a turn.
  private var standstill = 0

  init(count: Int, limit: Int) {
    self.count = count
    self.limit = limit
  }

  private var hasWork: Bool { !isStopped && next < count && inFlight < limit }
  private var isOver: Bool { isStopped ? inFlight == inLine.count : inFlight == 0 && next == count }

  /// The caller comes as a runner.
  mutating func begin() -> Step {
    runners = 1
    return nextStep()
  }

  /// The batch begins without the caller; so many runners are to be sent.
  mutating func begin(runners: Int) -> Step {
    self.runners = runners
    arriving = runners
    return nextStep()
  }

  mutating func runnerCame(_ thread: SystemThread?, isCaller: Bool) {
    if !isCaller { arriving -= 1 }
    if let thread { threads.append(thread) }
  }

  mutating func runnerLeft(_ thread: SystemThread?) {
    if let thread, let index = threads.firstIndex(of: thread) { threads.remove(at: index) }
  }

  /// Takes an item for a runner that comes for one; with `nil` the runner is released.
  mutating func nextItem(after turn: Turn, isCaller: Bool) -> (item: Int?, step: Step) {
    if turn != .came { turns += 1 }
    if turn == .done { inFlight -= 1 }
    if hasWork {
      inFlight += 1
      next += 1
      return (next - 1, .nothing)
    }
    runners -= 1
    callerIsIdle = callerIsIdle || isCaller
    return (nil, isOver ? .finish : .nothing)
  }

  /// The item at `index`, which was not done when it returned, is done now, or is not waited for any more.
  mutating func finishedLater(_ index: Int) -> Step {
    inLine.remove(index)
    inFlight -= 1
    return nextStep()
  }

  /// No more items are to start.
  mutating func stop() -> Step {
    isStopped = true
    return nextStep()
  }

  /// The item at `index`, which is in flight, waits for its turn on a queue.
  mutating func putInLine(_ index: Int) {
    inLine.insert(index)
  }

  /// Whether the item at `index`, whose turn has come, may start.
  ///
  /// One that may not, since the batch was stopped, stays counted as in line: nobody waits for it either way.
  mutating func mayLeaveLine(_ index: Int) -> Bool {
    !isStopped && inLine.remove(index) != nil
  }

  private mutating func nextStep() -> Step {
    if isOver { return .finish }
    guard hasWork else { return .nothing }
    if callerIsIdle {
      callerIsIdle = false
      runners += 1
      defer { isWatched = isWatched || limit > 1 }
      return .callBack(watch: !isWatched && limit > 1)
    }
    if runners == 0 {
      runners += 1
      arriving += 1
      return .bringRunner
    }
    // With a limit of one there is nobody to bring: the one runner that there may be is there.
    guard !isWatched, limit > 1 else { return .nothing }
    isWatched = true
    return .watch
  }
}

extension BatchState {
  /// How the batch gets on, as far as it can be told from here.
  enum Progress {
    case needsNone
    case good
    /// More runners would get on better than these, whose threads are given, unless so many of them want for a processor.
    case slow(threads: [SystemThread], busy: Int)
  }

  /// Microseconds below which an item is too cheap to be worth a thread.
  private static var cheap: Int { 20 }

  /// Microseconds after which runners that have been seen to come back often are taken for stuck: the more there are, the less
  /// likely is it that all are in slow items just now.
  private var stuck: Int { max(2_000, runners * 25) }

  /// Microseconds after which a standstill is taken for one, whatever the threads seem to do.
  private static var tooLong: Int { 50_000 }

  mutating func progress(after microseconds: Int) -> Progress {
    guard hasWork, runners < limit else {
      isWatched = false
      return .needsNone
    }
    let turns = turns - turnsAtLastBeat
    turnsAtLastBeat += turns
    // What the last help is worth shows when it has come; on a busy machine that takes more than a beat.
    guard arriving == 0 else { return .good }
    guard turns > 0 else {
      standstill += microseconds
      // Where no runner ever came back, all are in slow items. Where some did, they may be held up for a moment, at a lock
      // that they all want, say, which more of them would only make worse.
      guard self.turns < 64 || standstill >= stuck else { return .good }
      // The more runners there are, the longer has each of them to wait for a processor.
      return .slow(
        threads: standstill < max(Self.tooLong, runners * 10_000) ? threads.copied() : [], busy: Workers.cores)
    }
    standstill = 0
    let pace = turns * 1000 / microseconds
    guard pace < runners * 1000 / Self.cheap else { return .good }
    // Runners that get in each other's way, at a lock say, turn no faster when they are more. So help goes on while it helps, and
    // is tried again now and then when it did not. Twice as many would turn twice as fast; a few may seem to by chance.
    beatsInVain += 1
    let helped = runners < 16 ? pace * 10 > paceBeforeHelp * 11 : pace * 2 > paceBeforeHelp * 3
    guard helped || beatsInVain > patience else { return .good }
    patience = helped ? Self.leastPatience : patience * 2
    paceBeforeHelp = pace
    beatsInVain = 0
    // Those that sleep for a moment in each item are runnable now and then; those that compute are nearly always.
    return .slow(threads: threads.copied(), busy: max(Workers.cores, (threads.count + 1) / 2))
  }

  /// Doubles the runners, as far as there is work for more, and returns how many are to be sent.
  mutating func help() -> Int {
    guard hasWork else { return 0 }
    let more = max(0, min(limit - runners, limit - inFlight, count - next, max(runners, 1)))
    runners += more
    arriving += more
    standstill = 0
    return more
  }
}
