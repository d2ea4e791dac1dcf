import Synchronization

/// What calls work off, and what there is to be told when that happens.
///
/// There are two kinds, alike in all but their lives. A task that can be cancelled has one, shared by its copies, which can
/// be set and set back. A run has one, its scope, as soon as something must be able to reach it from another thread: it
/// listens to its task's and to the scope of the run that awaits it, and is cancelled once and for good.
@usableFromInline
final class Cancellation: Sendable {
  /// What is done on cancellation, in this order.
  enum Listener {
    /// A run inside is called off too.
    case scope(Cancellation)
    /// What the user's action has started is ended, before anybody goes on as if it were.
    case handler(() -> Void)
    /// A wait ends.
    case wake(() -> Void)
    /// The user's code goes on. It comes last, since it may take as long as it likes.
    case receiver(() -> Void)
  }

  private enum Fate {
    case open
    case closed
    case doomed
  }

  /// A listener's place in a list, to be given back.
  struct Listening {
    private static let last = Atomic(0)

    // It keeps alive what it listens to, though nobody can cancel that once all who could have let go of it. A weak reference
    // would make all others to it slow.
    private let source: Cancellation
    fileprivate let number: Int

    /// A place in the list of `source`, which `listen` fills.
    init(to source: Cancellation) {
      self.source = source
      number = Self.last.add(1, ordering: .relaxed).newValue
    }

    func stop() { source.forget(number) }
  }

  private struct Listeners {
    var all = Numbered<Listener>()
    /// Whether those who were there when it was cancelled are being told; whoever comes meanwhile comes to the late ones.
    var isTelling = false
    var late = Numbered<Listener>()
    /// Whether nothing cancels this any more, or nothing keeps that from happening.
    var fate = Fate.open
    /// What sees to it that the task is asked.
    var asker: Asker?
    /// What this one listens to itself.
    var sources: [Listening] = []
  }

  /// How often anything in this process has been cancelled: as long as this stands still, what was looked at before still
  /// holds, and need not be looked at again.
  static let count = Atomic(0)

  /// Grows with each change; odd while cancelled.
  private let changes = Atomic(0)

  /// Whether the run is over: then nobody is told any more, and nothing is kept alive.
  private let isOver = Atomic(false)

  /// Made for the first listener: most have none, ever.
  private let listeners = Lazily<Locked<Listeners>>()

  /// Asks a task that can only be asked.
  private let probe: UncheckedTransfer<() -> Bool>?

  @usableFromInline
  init() {
    probe = nil
  }

  /// Makes one that asks `probe`, which gives no notice by itself: as long as there is somebody to tell, it is asked again
  /// and again, about a hundred times a second.
  @usableFromInline
  init(probe: @escaping () -> Bool) {
    self.probe = UncheckedTransfer(probe)
  }

  /// A scope that is cancelled with `parent`.
  convenience init(in parent: Cancellation?) {
    self.init()
    if let parent { follow(parent) }
  }

  /// The state that a run begins with, to tell later whether it has been cancelled since.
  var mark: Int { changes.load(ordering: .acquiring) }

  var isAskedOnly: Bool { probe != nil }

  func isCancelled(since mark: Int) -> Bool { self.mark != mark || mark & 1 == 1 || probe?.value() == true }

  @usableFromInline
  var isCancelled: Bool { isCancelled(since: mark) }

  @usableFromInline
  func cancel() {
    var told: [Cancellation] = []
    var acts = Self.sort(becomeCancelled(&told), &told)
    var wakes: [() -> Void] = []
    var receivers: [() -> Void] = []
    // Handlers first, until nobody comes late any more: with a wake, somebody may give up what others listen to.
    repeat {
      for handler in acts.handlers { handler() }
      wakes += acts.wakes
      receivers += acts.receivers
      acts = Self.sort(Self.lateListeners(of: &told), &told)
    } while !told.isEmpty
    for act in wakes + receivers { act() }
  }

  /// Takes a cancellation back, for those who come after.
  @usableFromInline
  func reset() {
    change(toOdd: false)
  }

  /// Whether there was something to change.
  @discardableResult
  private func change(toOdd odd: Bool) -> Bool {
    var old = mark
    while old & 1 == (odd ? 0 : 1) {
      let (done, now) = changes.weakCompareExchange(expected: old, desired: old + 1, ordering: .sequentiallyConsistent)
      if done { return true }
      old = now
    }
    return false
  }

  /// Becomes cancelled, if it is not, and returns who is to be told; then it is one of those that are `told`.
  private func becomeCancelled(_ told: inout [Cancellation]) -> [Listener] {
    // In one step: whoever comes next must find all before it told, or wait for that.
    let listeners = box.withLock { state -> [Listener]? in
      guard state.fate != .closed, change(toOdd: true) else { return nil }
      state.isTelling = true
      return state.all.takeAll()
    }
    guard let listeners else { return [] }
    Self.count.add(1, ordering: .sequentiallyConsistent)
    told.append(self)
    return listeners
  }

  /// Those who came to one of the `told` meanwhile.
  ///
  /// Where nobody did, all have been told, and whoever comes next tells itself.
  private static func lateListeners(of told: inout [Cancellation]) -> [Listener] {
    var late: [Listener] = []
    told.removeAll { cancellation in
      cancellation.box.withLock { state in
        state.isTelling = !state.late.isEmpty
        late += state.late.takeAll()
        return !state.isTelling
      }
    }
    return late
  }

  private typealias Sorted = (handlers: [() -> Void], wakes: [() -> Void], receivers: [() -> Void])

  /// What there is to be called, by kind, that of the scopes inside too, which are cancelled with this.
  ///
  /// It keeps a list of its own: scopes can lie in one another deeper than a stack.
  private static func sort(_ listeners: [Listener], _ told: inout [Cancellation]) -> Sorted {
    var listeners = listeners
    var sorted: Sorted = ([], [], [])
    var next = 0
    while next < listeners.count {
      switch listeners[next] {
      case .scope(let scope): listeners += scope.becomeCancelled(&told)
      case .handler(let handler): sorted.handlers.append(handler)
      case .wake(let wake): sorted.wakes.append(wake)
      case .receiver(let receiver): sorted.receivers.append(receiver)
      }
      next += 1
    }
    return sorted
  }

  /// Tells `listener` once, when this is cancelled, or now if it has been since `mark`.
  @discardableResult
  func listen(since mark: Int = 0, _ listener: Listener) -> Listening {
    let listening = Listening(to: self)
    listen(listening, since: mark, listener)
    return listening
  }

  /// Does the same in a place that was made for it before, so that whoever is told can give it back.
  func listen(_ listening: Listening, since mark: Int, _ listener: Listener) {
    let (isLate, asker) = box.withLock { state -> (Bool, Asker?) in
      guard self.mark == mark, mark & 1 == 0 else {
        // Whoever is telling the others tells this one too, when it comes to it.
        if state.isTelling { state.late.add(listening.number, listener) }
        return (!state.isTelling, nil)
      }
      state.all.add(listening.number, listener)
      guard isAskedOnly, state.asker == nil else { return (false, nil) }
      state.asker = Asker { [weak self] in self?.askTask() ?? false }
      return (false, state.asker)
    }
    if let asker { Pulse.shared.watch(asker) }
    if isLate { return Self.tell(listener) }
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isOver.load(ordering: .relaxed) { forget(listening.number) }
  }

  /// Tells one who comes when all others have been told.
  private static func tell(_ listener: Listener) {
    switch listener {
    case .scope(let scope): scope.cancel()
    case .handler(let act), .wake(let act), .receiver(let act): act()
    }
  }

  private var box: Locked<Listeners> { listeners.get { Locked(Listeners()) } }

  /// Takes a listener out of the list; it is returned so that what it holds is let go outside of the lock.
  @discardableResult
  private func forget(_ number: Int) -> Listener? {
    listeners.ifMade?.withLock { $0.all.remove(number) ?? $0.late.remove(number) }
  }

  /// Is cancelled with `source`, if that has been since `mark` or will be, until this scope is over.
  func follow(_ source: Cancellation, since mark: Int = 0) {
    let listening = source.listen(since: mark, .scope(self))
    box.withLock { $0.sources.append(listening) }
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isOver.load(ordering: .relaxed) { end() }
  }

  /// Asks the task, and tells all if it is cancelled; returns whether to ask again.
  private func askTask() -> Bool {
    if probe?.value() == true { cancel() }
    return box.withLock { state in
      // Whoever comes later brings a new one.
      if state.all.isEmpty { state.asker = nil }
      return state.asker != nil
    }
  }

  /// Sees to it that nothing cancels this any more; returns whether nothing has, or is about to.
  func close() -> Bool {
    box.withLock { state in
      if mark & 1 == 0, state.fate == .open { state.fate = .closed }
      return state.fate == .closed
    }
  }

  /// Sees to it that nobody closes this any more, for who is about to cancel it; returns whether nobody has.
  func doom() -> Bool {
    box.withLock { state in
      if state.fate == .open { state.fate = .doomed }
      return state.fate == .doomed
    }
  }

  /// The run is over.
  func end() {
    isOver.store(true, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard let box = listeners.ifMade else { return }
    let (left, sources) = box.withLock { state in
      defer { state.sources = [] }
      return (state.all.takeAll() + state.late.takeAll(), state.sources)
    }
    withExtendedLifetime(left) {}
    for source in sources { source.stop() }
  }
}
