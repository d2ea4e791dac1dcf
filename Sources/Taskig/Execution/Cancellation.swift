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

  /// A listener's place in a list, to be given back.
  struct Listening {
    // A listener does not keep alive what it listens to: nobody can cancel that once all who could have let go of it.
    fileprivate weak var source: Cancellation?
    fileprivate let number: Int

    func stop() { source?.remove(number) }
  }

  private struct Listeners {
    var all: [Int: Listener] = [:]
    var lastNumber = 0
    var isAsked = false
    var isBeingAsked = false
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
  private let listeners = AtomicLazyReference<Locked<Listeners>>()

  /// Asks a task that can only be asked.
  private let probe: UncheckedTransfer<() -> Bool>?

  @usableFromInline
  init() {
    probe = nil
  }

  /// Makes one that asks `probe`, which gives no notice by itself: as long as there is somebody to tell, it is asked again
  /// and again, some hundred times a second.
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
    Self.tell(becomeCancelled())
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

  private func becomeCancelled() -> [Listener] {
    guard change(toOdd: true) else { return [] }
    Self.count.add(1, ordering: .sequentiallyConsistent)
    // Whoever adds a listener looks again afterwards. This fence and the one there make sure that one sees the other.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return listeners.load()?.withLock { state in
      defer { state.all = [:] }
      return state.all.sorted { $0.key < $1.key }.map(\.value)
    } ?? []
  }

  /// Tells all, the scopes inside too, with a list of its own: scopes can lie in one another deeper than a stack.
  private static func tell(_ listeners: [Listener]) {
    var listeners = listeners
    var handlers: [() -> Void] = []
    var wakes: [() -> Void] = []
    var receivers: [() -> Void] = []
    var next = 0
    while next < listeners.count {
      switch listeners[next] {
      case .scope(let scope): listeners += scope.becomeCancelled()
      case .handler(let handler): handlers.append(handler)
      case .wake(let wake): wakes.append(wake)
      case .receiver(let receiver): receivers.append(receiver)
      }
      next += 1
    }
    for act in handlers + wakes + receivers { act() }
  }

  /// Tells `listener` once, when this is cancelled, or now if it has been since `mark`.
  @discardableResult
  func listen(since mark: Int = 0, _ listener: Listener) -> Listening {
    let box = listeners.load() ?? listeners.storeIfNil(Locked(Listeners()))
    let (number, ask) = box.withLock { state -> (Int, Bool) in
      state.lastNumber += 1
      state.all[state.lastNumber] = listener
      defer { state.isAsked = isAskedOnly }
      return (state.lastNumber, isAskedOnly && !state.isAsked)
    }
    if ask { Asking.shared.ask(self) }
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if self.mark != mark || mark & 1 == 1 {
      if let listener = remove(number) { Self.tell([listener]) }
    } else if isOver.load(ordering: .relaxed) {
      remove(number)
    }
    return Listening(source: self, number: number)
  }

  @discardableResult
  private func remove(_ number: Int) -> Listener? {
    listeners.load()?.withLock { $0.all.removeValue(forKey: number) }
  }

  /// Is cancelled with `source`, if that has been since `mark` or will be.
  func follow(_ source: Cancellation, since mark: Int = 0) {
    keep(source.listen(since: mark, .scope(self)))
  }

  /// Stops `listening` when this scope is over.
  func keep(_ listening: Listening) {
    let box = listeners.load() ?? listeners.storeIfNil(Locked(Listeners()))
    box.withLock { $0.sources.append(listening) }
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isOver.load(ordering: .relaxed) { end() }
  }

  /// The run is over.
  func end() {
    isOver.store(true, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard let box = listeners.load() else { return }
    let (left, sources) = box.withLock { state in
      defer { (state.all, state.sources) = ([:], []) }
      return (state.all, state.sources)
    }
    withExtendedLifetime(left) {}
    for source in sources { source.stop() }
  }
}

extension Cancellation {
  /// Whether there is nobody to be told what asking brings to light.
  ///
  /// Then it is not asked any more, unless somebody comes.
  var isAskedInVain: Bool {
    listeners.load()?.withLock { state in
      state.isAsked = !state.all.isEmpty
      return !state.isAsked
    } ?? true
  }

  /// Whether it is to be asked now: not if somebody is still at it.
  func beginAsking() -> Bool {
    listeners.load()?.withLock { state in
      defer { state.isBeingAsked = true }
      return !state.isBeingAsked
    } ?? false
  }

  /// Asks the task, and tells all if it is cancelled; runs the user's code.
  func ask() {
    if probe?.value() == true { cancel() }
    listeners.load()?.withLock { $0.isBeingAsked = false }
  }
}
