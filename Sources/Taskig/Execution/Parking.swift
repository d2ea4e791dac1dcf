import Dispatch
import Foundation
import Synchronization

/// Where one thread waits, and what wakes it: asleep, or while its run loop goes on.
///
/// A run loop has no way of its own, on all platforms, to make one turn of it end from another thread. A block on the main queue
/// ends one of the main thread's, unless the loop runs inside such a block: then, as on other threads, each turn ends by itself
/// after a slice of time. Stopping the loop (`CFRunLoopStop`) could stop one of the user's that runs inside of it.
final class Parking: Sendable {
  /// Seconds that a turn of the run loop is to take at most that cannot be ended from outside: the more `turns` there have been
  /// before, the longer, up to a hundredth of a second, since who waits long can be woken late.
  static func slice(after turns: Int) -> TimeInterval { min(0.000_2 * Double(1 << min(turns, 10)), 0.01) }

  private let signal = DispatchSemaphore(value: 0)
  private let isMain: Bool

  /// Whether the thread has been woken since it last looked; it is enough to do that once.
  private let isWoken = Atomic(false)

  /// Whether the thread has to be woken out of the main run loop.
  private let isInMainLoop = Atomic(false)

  /// Whether a block that does so is on the main queue.
  private let isPosted = Atomic(false)

  init(isMain: Bool) {
    self.isMain = isMain
  }

  /// Wakes the thread, or has its next wait end at once.
  func wake() {
    guard !isWoken.exchange(true, ordering: .sequentiallyConsistent) else { return }
    signal.signal()
    if isInMainLoop.load(ordering: .sequentiallyConsistent) { endTurn() }
  }

  /// Has the turn of the main run loop end that goes on, or the next.
  private func endTurn() {
    guard !isPosted.exchange(true, ordering: .sequentiallyConsistent) else { return }
    DispatchQueue.main.async { [self] in isPosted.store(false, ordering: .sequentiallyConsistent) }
  }

  /// Blocks the calling thread, whose this is, until it is woken.
  func wait() {
    Workers.shared.callerBlocks()
    signal.wait()
    look()
  }

  /// Notes that the thread looks what there is to be done: whatever is there by now.
  private func look() {
    _ = isWoken.exchange(false, ordering: .sequentiallyConsistent)
  }

  /// Blocks the calling thread, whose this is, until it is woken, or for `seconds`.
  func wait(atMost seconds: TimeInterval) {
    _ = isWoken(before: .now() + seconds)
  }

  /// Whether the thread is woken before `time`, or has been.
  private func isWoken(before time: DispatchTime) -> Bool {
    guard signal.wait(timeout: time) == .success else { return false }
    look()
    return true
  }

  /// Lets the run loop of the calling thread, whose this is, go on in `mode` until something has been done in it, the thread is
  /// woken, or `slice` seconds are over.
  func turn(_ mode: RunLoop.Mode, atMost slice: TimeInterval) {
    let wasInMainLoop = isInMainLoop.exchange(isMain, ordering: .sequentiallyConsistent)
    defer {
      isInMainLoop.store(wasInMainLoop, ordering: .sequentiallyConsistent)
      // What woke the thread in this turn may have been meant for the one in which it lies.
      if wasInMainLoop { endTurn() }
    }
    // Who is woken again and again lets the loop have its turns all the same.
    let slice = isWoken(before: .now()) ? 0 : slice
    let hasSources = RunLoop.current.run(mode: mode, before: Date(timeIntervalSinceNow: slice))
    // A loop without any returns at once.
    wait(atMost: hasSources ? 0 : slice)
  }
}
