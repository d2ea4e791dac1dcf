import Synchronization

/// The end of one run of a task: takes its outcome once, from any thread, and hands it on once.
///
/// The closure that an action gets holds the only lasting reference to this object. When the action lets go of that
/// closure without a call, `deinit` says so, and the receiver hears `nil`: the outcome is lost.
///
/// Two references to two objects (a cell for the waiter, a token for the closure) were tried first; one object, which
/// the waiter gives up when it starts to wait, costs one allocation less and cannot disagree with itself.
@usableFromInline
final class Completion<Outcome>: @unchecked Sendable {
  // because `outcome` is touched only by the thread that set `claimed`, until `done` is set, and `receiver` only by the
  // thread that set `awaited`, until then; each reader comes after one of these bits.
  @usableFromInline let bits: Atomic<UInt8>
  @exclusivity(unchecked) @usableFromInline var outcome: Outcome?
  @exclusivity(unchecked) @usableFromInline var receiver: ((Outcome?) -> Void)?

  @usableFromInline static var claimed: UInt8 { 1 }
  @usableFromInline static var awaited: UInt8 { 2 }
  @usableFromInline static var done: UInt8 { 4 }
  @usableFromInline static var abandoned: UInt8 { 8 }
  @usableFromInline static var misused: UInt8 { 16 }

  /// Makes a completion that keeps the outcome until it is asked for.
  @inlinable
  init() {
    bits = Atomic(0)
  }

  /// Makes a completion that hands the outcome to `receiver`, on whichever thread completes it; `nil` if it is lost.
  @inlinable
  init(receiver: @escaping (Outcome?) -> Void) {
    bits = Atomic(Self.awaited)
    self.receiver = receiver
  }

  @inlinable
  deinit {
    if bits.load(ordering: .acquiring) == Self.awaited { receiver?(nil) }
  }

  /// Takes the outcome; the first call wins and gets `true`, a later one changes nothing.
  @inlinable
  @discardableResult
  func complete(_ outcome: Outcome) -> Bool {
    guard bits.bitwiseOr(Self.claimed, ordering: .acquiring).oldValue & Self.claimed == 0 else { return false }
    self.outcome = outcome
    if bits.bitwiseOr(Self.done, ordering: .acquiringAndReleasing).oldValue & Self.awaited != 0 { deliver() }
    return true
  }

  /// Whether somebody is told of the outcome when it comes.
  var hasReceiver: Bool { bits.load(ordering: .acquiring) & Self.awaited != 0 }

  /// Notes that no outcome will come and none is expected any more, so that none is missed.
  func abandon() {
    bits.bitwiseOr(Self.claimed | Self.abandoned, ordering: .acquiringAndReleasing)
  }

  /// Notes that a call to `complete` came too late; `true` if it is the first that did while an outcome was expected.
  @usableFromInline
  func noteMisuse() -> Bool {
    let before = bits.bitwiseOr(Self.misused, ordering: .relaxed).oldValue
    return before & (Self.misused | Self.abandoned) == 0
  }

  /// The outcome, if it has come.
  @inlinable
  var outcomeIfDone: Outcome? {
    bits.load(ordering: .acquiring) & Self.done != 0 ? outcome : nil
  }

  /// Hands the outcome to `receiver`, now or when it comes.
  ///
  /// The caller then lets go of this object: as long as it held on, nobody would notice that the action let go.
  @usableFromInline
  func whenDone(_ receiver: @escaping (Outcome?) -> Void) {
    self.receiver = receiver
    guard bits.bitwiseOr(Self.awaited, ordering: .acquiringAndReleasing).oldValue & Self.done != 0 else { return }
    deliver()
  }

  @usableFromInline
  func deliver() {
    let receiver = self.receiver
    self.receiver = nil
    receiver?(outcome)
  }
}

/// What has become of a completion, whatever its outcome is.
///
/// A superclass in its place would keep the optimizer from putting completions on the stack.
protocol CompletionState: AnyObject {
  /// Whether an outcome may still come.
  var isOpen: Bool { get }
}

extension Completion: CompletionState {
  var isOpen: Bool { bits.load(ordering: .acquiring) & Self.claimed == 0 }
}
