import Dispatch
import Foundation
import Synchronization

/// Where one thread waits, and what wakes it: asleep, or while its run loop goes on.
///
/// A run loop has no way of its own, on all platforms, to make one turn of it end from another thread. A block on the main queue
/// ends one of the main thread's, unless the loop runs inside such a block: then, as on other threads, each turn ends by itself
/// after a slice of time. Stopping the loop (`CFRunLoopStop`) could stop one of the user's that runs inside of it.
final class Parking: Sendable {
  /// Seconds that a turn of the run loop takes at most, at first and in the end: who waits long can be woken late.
  private static let slices = (shortest: 0.000_2, longest: 0.01)

  private let signals = DispatchSemaphore(value: 0)
  private let isMain: Bool

  /// Whether the thread has to be woken out of the main run loop.
  private let isInMainLoop = Atomic(false)

  init(isMain: Bool) {
    self.isMain = isMain
  }

  /// Wakes the thread, or has its next wait end at once.
  func wake() {
    signals.signal()
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isInMainLoop.load(ordering: .relaxed) { DispatchQueue.main.async {} }
  }

  /// Blocks the calling thread, whose this is, until it is woken.
  func wait() {
    signals.wait()
  }

  /// Lets the run loop of the calling thread, whose this is, go on in `mode` until something has been done in it, the thread is
  /// woken, or a slice of time is over, the longer the more `turns` there have been before.
  func turn(_ mode: RunLoop.Mode, after turns: Int) {
    let slice = min(Self.slices.shortest * Double(1 << min(turns, 10)), Self.slices.longest)
    let wasInMainLoop = isInMainLoop.exchange(isMain, ordering: .sequentiallyConsistent)
    defer { isInMainLoop.store(wasInMainLoop, ordering: .relaxed) }
    guard signals.wait(timeout: .now()) == .timedOut else { return }
    if RunLoop.current.run(mode: mode, before: Date(timeIntervalSinceNow: slice)) { return }
    // Nothing is scheduled in the loop, so it returned at once.
    _ = signals.wait(timeout: .now() + slice)
  }
}
